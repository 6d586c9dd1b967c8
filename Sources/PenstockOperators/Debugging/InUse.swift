// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that keeps something in use while a subscriber's stream runs: `finally` and `trackActivity`.
@usableFromInline
internal struct InUse<Upstream: Publisher, Name: UseName>: Publisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let begin: () -> ResourceUse

  @inlinable
  internal init(upstream: Upstream, begin: @escaping () -> ResourceUse) {
    self.upstream = upstream
    self.begin = begin
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let stage = UseStage<Name, Output, Failure>(begin())
    upstream.subscribe(ObservingSubscriber(stage, to: subscriber))
  }
}

/// The name of an operator whose stage is ``UseStage``.
@usableFromInline
internal protocol UseName {
  /// The text that `print()` prints for the operator.
  static var name: String { get }
}

/// The stage that ends the use of something when the stream ends.
@usableFromInline
internal struct UseStage<Name: UseName, Input, Failure: Error>: ObservingStage {
  @usableFromInline internal let use: ResourceUse

  @inlinable
  internal init(_ use: ResourceUse) { self.use = use }

  @inlinable
  internal static var name: String { Name.name }

  @inlinable
  internal func observed(completion: Subscribers.Completion<Failure>) { use.end() }

  /// Upstream uses the resource until it is cancelled; it has been cancelled by now.
  @inlinable
  internal func observedCancel() { use.end() }
}
