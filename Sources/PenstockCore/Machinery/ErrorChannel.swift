// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The errors of an operator: what comes from above, what its closure may throw, and what goes down.
///
/// An operator and its throwing twin are one stage over two channels.
@usableFromInline
package protocol ErrorChannel {
  associatedtype Upstream: Error
  associatedtype Thrown: Error
  associatedtype Downstream: Error

  /// What stands before the name of an operator that uses this channel.
  static var namePrefix: String { get }

  /// Turns what the closure threw into the failure of the stream.
  static func raise(_ error: Thrown) -> Downstream
}

/// A channel on which upstream's failure goes down as it is.
@usableFromInline
package protocol ForwardingChannel: ErrorChannel {
  static func forward(_ failure: Upstream) -> Downstream
}

/// Nothing is thrown, and failures keep their type: most operators.
@usableFromInline
package enum Passing<Failure: Error>: ForwardingChannel, Sendable {
  @usableFromInline package typealias Upstream = Failure
  @usableFromInline package typealias Thrown = Never
  @usableFromInline package typealias Downstream = Failure

  @inlinable
  package static var namePrefix: String { "" }

  @inlinable
  package static func raise(_ error: Never) -> Failure {}

  @inlinable
  package static func forward(_ failure: Failure) -> Failure { failure }
}

/// The closure may throw, so the stream may fail with anything: the operators called `try…`.
@usableFromInline
package enum Throwing<Failure: Error>: ForwardingChannel, Sendable {
  @usableFromInline package typealias Upstream = Failure
  @usableFromInline package typealias Thrown = any Error
  @usableFromInline package typealias Downstream = any Error

  @inlinable
  package static var namePrefix: String { "Try" }

  @inlinable
  package static func raise(_ error: any Error) -> any Error { error }

  @inlinable
  package static func forward(_ failure: Failure) -> any Error { failure }
}

/// The operator says itself what becomes of a failure: `mapError`, `setFailureType`, `assertNoFailure`.
@usableFromInline
package enum Replacing<Upstream: Error, Downstream: Error>: ErrorChannel, Sendable {
  @usableFromInline package typealias Thrown = Never

  @inlinable
  package static var namePrefix: String { "" }

  @inlinable
  package static func raise(_ error: Never) -> Downstream {}
}
