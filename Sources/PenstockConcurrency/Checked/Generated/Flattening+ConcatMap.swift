// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Turns each value into a publisher, and republishes these one after the other.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/concatMap(_:)-9d5a`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where Failure == P.Failure
  {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(unchecked: base.concatMap({ transform($0).base }))
  }

  /// Turns each value into a publisher that can fail, and republishes these one after the other; upstream cannot
  /// fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/concatMap(_:)-2jahj`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, P.Failure>> where Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, P.Failure>>(unchecked: base.concatMap({ transform($0).base }))
  }

  /// Turns each value into a publisher, and republishes these one after the other; neither side can fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/concatMap(_:)-8be1l`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Never>> where Failure == Never, P.Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, Never>>(unchecked: base.concatMap({ transform($0).base }))
  }

  /// Turns each value into a publisher that cannot fail, and republishes these one after the other.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/concatMap(_:)-2lbmc`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where P.Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(unchecked: base.concatMap({ transform($0).base }))
  }
}
