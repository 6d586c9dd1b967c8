// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that delivers no values, and finishes at once or never.
///
/// ```swift
/// let cancellable = Empty<Int, Never>().sink(
///   receiveCompletion: { print($0) },
///   receiveValue: { print($0) })
/// // Prints "finished"
/// ```
///
/// **Demand:** ignored; `request(.none)` is accepted.
///
/// **Completion:** `.finished` right after the subscription, without demand, if ``completeImmediately`` is `true`. The
/// subscription is the empty one, whose cancel has no effect: as in Combine, a subscriber that cancels it at once
/// receives the completion nevertheless.
///
/// **Failure:** none.
///
/// **Concurrency:** everything happens during the call that subscribes.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether the publisher finishes at once.
  ///
  /// If it is `false`, the publisher never finishes.
  public let completeImmediately: Bool

  /// Creates a publisher that delivers no values.
  ///
  /// - Parameter completeImmediately: Whether the publisher finishes at once; otherwise it never does.
  @_alwaysEmitIntoClient
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Creates a publisher that delivers no values, with explicit types, for calls that cannot infer them.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether the publisher finishes at once; otherwise it never does.
  ///   - outputType: The type of the values.
  ///   - failureType: The type of the failure.
  @_alwaysEmitIntoClient
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      attachNothing(ending: .finished, to: subscriber)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    completeImmediately && target._isReady ? target._receive(completion: .finished) : target._subscribe(to: self)
  }
}

extension Empty: Sendable {}
