// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Publishes what a closure makes of this publisher; all uses within the closure share one subscription to it.
  ///
  /// It works as `Publisher.multicast(buffering:in:)`, in a pipeline that is checked for data races. The publisher that
  /// the closure gets is a checked pipeline as well. The closure is `@Sendable`: it may run on any thread, for several
  /// subscribers at once.
  @inlinable
  public func multicast<Result: Publisher>(
    buffering: ShareBufferingPolicy = .bounded(1),
    in body: @escaping @Sendable (AnySendablePublisher<Output, Failure>) -> SendablePublisher<Result>
  ) -> SendablePublisher<Publishers.Lifted<Result.Output, Result.Failure>> {
    SendablePublisher<_>(
      unchecked: base.multicast(buffering: buffering) { body(AnySendablePublisher(unchecked: $0)).base })
  }
}
