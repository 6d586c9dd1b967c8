// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of no value, which finishes at once or never.
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
/// **Completion:** `.finished` right behind the subscription, without demand, if ``completeImmediately`` says so. The
/// subscription is the empty one, whose cancel does nothing: as in Combine, a subscriber that cancels it at once is
/// told of the end all the same.
///
/// **Concurrency:** everything happens inside of the call that subscribes.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether the publisher finishes at once.
  ///
  /// If not, it never does.
  public let completeImmediately: Bool

  /// Makes a publisher of no value.
  ///
  /// - Parameter completeImmediately: Whether it finishes at once, or never.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes a publisher of no value, with the types said by value, for places that cannot say them otherwise.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether it finishes at once, or never.
  ///   - outputType: The type of the values that do not come.
  ///   - failureType: The type of the failure that does not come.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      attachNothing(ending: .finished, to: subscriber)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
