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
/// Most operators have a form of their own on `Just` that runs at once and gives another plain publisher, so their
/// closures run when the operator is applied, not when somebody subscribes.
///
/// **Demand:** the value waits for the first request, of any size. Later requests do nothing; `request(.none)` traps.
///
/// **Completion:** `.finished` follows the value at once. A cancel from inside of the delivery of the value suppresses
/// it, where Combine sends it all the same.
///
/// **Concurrency:** the value is delivered on the thread that requests it. Of requests from several threads one
/// delivers.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Makes a publisher of one value.
  ///
  /// - Parameter output: The value.
  @inlinable
  public init(_ output: Output) {
    self.output = output
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    attachOnce(output, name: "Just", to: subscriber)
  }
}

extension Just: Equatable where Output: Equatable {}

extension Just: Sendable where Output: Sendable {}
