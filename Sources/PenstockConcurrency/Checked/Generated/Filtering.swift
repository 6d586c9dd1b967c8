// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Transforms each value with a closure and publishes the results that are not `nil`.
  ///
  /// Does what ``/PenstockCore/Publisher/compactMap(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func compactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T?) -> SendablePublisher<
    Publishers.CompactMap<Base, T>
  > {
    SendablePublisher<Publishers.CompactMap<Base, T>>(unchecked: base.compactMap(transform))
  }

  /// Republishes the values that satisfy a predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/filter(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `isIncluded` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<Publishers.Filter<Base>> {
    SendablePublisher<Publishers.Filter<Base>>(unchecked: base.filter(isIncluded))
  }

  /// Suppresses values that equal their predecessor.
  ///
  /// Does what ``/PenstockCore/Publisher/removeDuplicates()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func removeDuplicates() -> SendablePublisher<Publishers.RemoveDuplicates<Base>> where Output: Equatable {
    SendablePublisher<Publishers.RemoveDuplicates<Base>>(unchecked: base.removeDuplicates())
  }

  /// Suppresses values that a predicate considers equal to their predecessor.
  ///
  /// Does what ``/PenstockCore/Publisher/removeDuplicates(by:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> SendablePublisher<
    Publishers.RemoveDuplicates<Base>
  > {
    SendablePublisher<Publishers.RemoveDuplicates<Base>>(unchecked: base.removeDuplicates(by: predicate))
  }

  /// Publishes a given value if the upstream publisher finishes without one.
  ///
  /// Does what ``/PenstockCore/Publisher/replaceEmpty(with:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func replaceEmpty(with output: Output) -> SendablePublisher<Publishers.ReplaceEmpty<Base>> {
    SendablePublisher<Publishers.ReplaceEmpty<Base>>(unchecked: base.replaceEmpty(with: output))
  }

  /// Transforms each value with a throwing closure and publishes the results that are not `nil`.
  ///
  /// Does what ``/PenstockCore/Publisher/tryCompactMap(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryCompactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) throws -> T?) -> SendablePublisher<
    Publishers.TryCompactMap<Base, T>
  > {
    SendablePublisher<Publishers.TryCompactMap<Base, T>>(unchecked: base.tryCompactMap(transform))
  }

  /// Republishes the values that satisfy a throwing predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/tryFilter(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `isIncluded` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryFilter<Base>
  > {
    SendablePublisher<Publishers.TryFilter<Base>>(unchecked: base.tryFilter(isIncluded))
  }

  /// Suppresses values that a throwing predicate considers equal to their predecessor.
  ///
  /// Does what ``/PenstockCore/Publisher/tryRemoveDuplicates(by:)`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryRemoveDuplicates(by predicate: @escaping @Sendable (Output, Output) throws -> Bool)
    -> SendablePublisher<Publishers.TryRemoveDuplicates<Base>>
  {
    SendablePublisher<Publishers.TryRemoveDuplicates<Base>>(unchecked: base.tryRemoveDuplicates(by: predicate))
  }

  /// Republishes the values that are of a type, converted to it.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/compactMap(as:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func compactMap<T: Sendable>(as type: T.Type) -> SendablePublisher<Publishers.CompactMap<Base, T>> {
    SendablePublisher<Publishers.CompactMap<Base, T>>(unchecked: base.compactMap(as: type))
  }

  /// Republishes each collection as an array, without the elements that do not satisfy a predicate.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/filterMany(_:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `isIncluded` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func filterMany(_ isIncluded: @escaping @Sendable (Output.Element) -> Bool) -> SendablePublisher<
    Publishers.Lifted<[Output.Element], Failure>
  > where Output: Sequence, Output.Element: Sendable {
    SendablePublisher<Publishers.Lifted<[Output.Element], Failure>>(unchecked: base.filterMany(isIncluded))
  }

  /// Suppresses values that equal any value before them.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/removeAllDuplicates()`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func removeAllDuplicates() -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Output: Hashable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.removeAllDuplicates())
  }

  /// Suppresses values that a predicate considers equal to any value before them.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/removeAllDuplicates(by:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func removeAllDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.removeAllDuplicates(by: predicate))
  }

  /// Republishes the values that are not `nil`, unwrapped.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/unwrap()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func unwrap<T: Sendable>() -> SendablePublisher<Publishers.CompactMap<Base, T>> where Output == T? {
    SendablePublisher<Publishers.CompactMap<Base, T>>(unchecked: base.unwrap())
  }
}
