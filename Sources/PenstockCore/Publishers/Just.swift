// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of one value.
///
/// ```swift
/// let cancellable = Just("ready").sink(
///   receiveCompletion: { print($0) },
///   receiveValue: { print($0) })
/// // Prints "ready", "finished" on two lines.
/// ```
///
/// Most operators have a variant on `Just` that runs at once and returns another plain publisher: their closures run
/// when the operator is applied, not at a subscription.
///
/// **Demand:** the value waits for the first request, of any size. Later requests have no effect; `request(.none)`
/// traps.
///
/// **Completion:** `.finished` follows the value at once. A cancel during the delivery of the value suppresses it;
/// Combine sends it nevertheless.
///
/// **Failure:** none; the publisher cannot fail.
///
/// **Concurrency:** the value is delivered on the thread that requests it. If several threads request it, one of them
/// delivers.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value that the publisher delivers.
  public let output: Output

  /// Creates a publisher of one value.
  ///
  /// - Parameter output: The value to deliver.
  @_alwaysEmitIntoClient
  public init(_ output: Output) {
    self.output = output
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    attachOnce(output, name: "Just", to: subscriber)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Never {
    target._isReady ? target._receive(only: output) : target._subscribe(to: self)
  }
}

extension Just: Equatable where Output: Equatable {}

extension Just: Sendable where Output: Sendable {}
