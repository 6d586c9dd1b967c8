// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The elements of a sequence, followed by a completion, for `Sequence.publisher` and ``Record``.
@frozen
@usableFromInline
internal struct SequenceStage<Elements: IteratorProtocol, Failure: Error>: SourceStage {
  @usableFromInline internal var iterator: Elements
  /// The next element to deliver; fetched in advance, so that the completion follows the last element without a further
  /// request.
  @usableFromInline internal var upcoming: Elements.Element
  @usableFromInline internal var isExhausted = false
  @usableFromInline internal let ending: Subscribers.Completion<Failure>

  // With the module's name, since without it the name would refer to this property, and not to the function.
  @_alwaysEmitIntoClient @inline(__always)
  internal static var isQuiet: Bool { PenstockCore.isQuiet(Elements.self) }

  @inlinable
  internal init(_ iterator: consuming Elements, first: Elements.Element, ending: Subscribers.Completion<Failure>) {
    self.iterator = iterator
    upcoming = first
    self.ending = ending
  }

  @_alwaysEmitIntoClient
  internal mutating func next() -> Elements.Element? {
    guard let following = iterator.next() else {
      isExhausted = true
      return upcoming
    }
    return exchange(&upcoming, with: following)
  }
}

/// Delivers the elements of a sequence, then a completion, to a subscriber.
@inlinable
internal func attachSequence<Elements: Sequence, Downstream: Subscriber>(
  _ elements: Elements, ending: Subscribers.Completion<Downstream.Failure>, nameAfterEnd: String,
  mirrored: @escaping (Any?) -> [(label: String?, value: Any)], to downstream: Downstream
) where Elements.Element == Downstream.Input {
  var iterator = elements.makeIterator()
  guard let first = iterator.next() else { return attachNothing(ending: ending, to: downstream) }
  attachSource(
    SequenceStage(consume iterator, first: first, ending: ending), shown: elements, nameAfterEnd: nameAfterEnd,
    mirrored: mirrored, to: downstream)
}
