// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that fails at once.
///
/// ```swift
/// struct Closed: Error {}
/// let cancellable = Fail<Int, Closed>(error: Closed()).sink(
///   receiveCompletion: { print($0) },
///   receiveValue: { print($0) })
/// // Prints "failure(Closed())"
/// ```
///
/// **Demand:** ignored; `request(.none)` is accepted.
///
/// **Completion:** none: it only fails.
///
/// **Failure:** right after the subscription, without demand. The subscription is the empty one, whose cancel has no
/// effect: as in Combine, a subscriber that cancels it at once receives the failure nevertheless.
///
/// **Concurrency:** everything happens during the call that subscribes.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error that the publisher fails with.
  public let error: Failure

  /// Creates a publisher that fails.
  ///
  /// - Parameter error: The error to fail with.
  @_alwaysEmitIntoClient
  public init(error: Failure) {
    self.error = error
  }

  /// Creates a publisher that fails, with an explicit type of its values.
  ///
  /// - Parameters:
  ///   - outputType: The type of the values.
  ///   - failure: The error to fail with.
  @_alwaysEmitIntoClient
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attachNothing(ending: .failure(error), to: subscriber)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    target._isReady ? target._receive(completion: .failure(error)) : target._subscribe(to: self)
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Fail: Sendable {}
