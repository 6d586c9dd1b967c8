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
/// **Failure:** right behind the subscription, without demand. The subscription is the empty one, whose cancel does
/// nothing: as in Combine, a subscriber that cancels it at once is told of the failure all the same.
///
/// **Concurrency:** everything happens inside of the call that subscribes.
public struct Fail<Output, Failure: Error>: Publisher {
  /// What the publisher fails with.
  public let error: Failure

  /// Makes a publisher that fails.
  ///
  /// - Parameter error: What it fails with.
  @inlinable
  public init(error: Failure) {
    self.error = error
  }

  /// Makes a publisher that fails, with the type of its values said by value.
  ///
  /// - Parameters:
  ///   - outputType: The type of the values that do not come.
  ///   - failure: What it fails with.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attachNothing(ending: .failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Fail: Sendable {}
