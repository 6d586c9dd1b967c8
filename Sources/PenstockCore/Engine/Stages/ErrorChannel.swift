// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The error types of an operator: upstream's failure, the error that its closure may throw, and downstream's failure.
///
/// An operator and its throwing twin are one stage with two channels.
@usableFromInline
package protocol ErrorChannel {
  associatedtype Upstream: Error
  associatedtype Thrown: Error
  associatedtype Downstream: Error

  /// The prefix of the names of operators that use this channel.
  static var namePrefix: String { get }

  /// Converts an error that the closure threw to the failure of the stream.
  static func raise(_ error: Thrown) -> Downstream
}

/// A channel that forwards upstream's failure.
@usableFromInline
package protocol ForwardingChannel: ErrorChannel {
  static func forward(_ failure: Upstream) -> Downstream
}

/// The channel of most operators: nothing is thrown, and the failure type stays the same.
@usableFromInline
package enum PassingChannel<Failure: Error>: ForwardingChannel, Sendable {
  @usableFromInline package typealias Upstream = Failure
  @usableFromInline package typealias Thrown = Never
  @usableFromInline package typealias Downstream = Failure

  @_alwaysEmitIntoClient
  package static var namePrefix: String { "" }

  @inlinable
  package static func raise(_ error: Never) -> Failure {}

  @_alwaysEmitIntoClient
  package static func forward(_ failure: Failure) -> Failure { failure }
}

/// The channel of the operators called `try…`: the closure may throw, so the stream may fail with any error.
@usableFromInline
package enum ThrowingChannel<Failure: Error>: ForwardingChannel, Sendable {
  @usableFromInline package typealias Upstream = Failure
  @usableFromInline package typealias Thrown = any Error
  @usableFromInline package typealias Downstream = any Error

  @_alwaysEmitIntoClient
  package static var namePrefix: String { "Try" }

  @_alwaysEmitIntoClient
  package static func raise(_ error: any Error) -> any Error { error }

  @_alwaysEmitIntoClient
  package static func forward(_ failure: Failure) -> any Error { failure }
}

/// The channel of operators that convert failures themselves: `mapError`, `setFailureType`, `assertNoFailure`.
@usableFromInline
package enum ReplacingChannel<Upstream: Error, Downstream: Error>: ErrorChannel, Sendable {
  @usableFromInline package typealias Thrown = Never

  @_alwaysEmitIntoClient
  package static var namePrefix: String { "" }

  @inlinable
  package static func raise(_ error: Never) -> Downstream {}
}
