// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Stores values that downstream has not requested yet, up to a high mark, and asks for more at a low mark.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/buffer(upTo:resumingAt:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func buffer(upTo high: Int, resumingAt low: Int? = nil) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.buffer(upTo: high, resumingAt: low))
  }

  /// Stores values that downstream has not requested yet, up to a high mark of their weight, and asks for more at a
  /// low mark.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/buffer(weight:resumingAt:weightOf:)`` does, in a pipeline
  /// that is checked for data races.
  ///
  /// `weightOf` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func buffer(weight high: Int, resumingAt low: Int? = nil, weightOf: @escaping @Sendable (Output) -> Int)
    -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.buffer(weight: high, resumingAt: low, weightOf: weightOf))
  }

  /// Merges the values that arrive while none is requested into one.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/coalesce(_:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `merge` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func coalesce(_ merge: @escaping @Sendable (Output, Output) -> Output) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.coalesce(merge))
  }

  /// Reduces the values that arrive while none is requested into one result.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/coalesce(into:reduce:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `reduce` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func coalesce<Result: Sendable>(
    into initial: Result, reduce: @escaping @Sendable (inout Result, Output) -> Void
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>> {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(unchecked: base.coalesce(into: initial, reduce: reduce))
  }

  /// Requests values from upstream in batches, whatever downstream requests.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/limitRequests(to:refillAt:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func limitRequests(to count: Int, refillAt low: Int? = nil) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.limitRequests(to: count, refillAt: low))
  }

  /// Republishes values while a valve is open.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/pausable(by:whenClosed:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func pausable<Valve: Publisher>(
    by valve: SendablePublisher<Valve>, whenClosed strategy: Publishers.ValveStrategy = .keep
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Valve.Failure == Never, Valve.Output == Bool {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.pausable(by: valve.base, whenClosed: strategy))
  }
}
