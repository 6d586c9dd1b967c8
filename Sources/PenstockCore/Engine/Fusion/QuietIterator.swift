// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Whether an iterator runs no code of the user's: it neither blocks nor sends, and nobody sees when it is asked for the
/// next element.
@inlinable @inline(__always)
package func isQuiet<Elements: IteratorProtocol>(_ elements: Elements.Type) -> Bool {
  Elements.self == IndexingIterator<[Elements.Element]>.self
    || Elements.self == IndexingIterator<ArraySlice<Elements.Element>>.self
    || Elements.self == IndexingIterator<ContiguousArray<Elements.Element>>.self
    || Elements.self == CollectionOfOne<Elements.Element>.Iterator.self
    || Elements.self == EmptyCollection<Elements.Element>.Iterator.self
    || Elements.self == Repeated<Elements.Element>.Iterator.self || Elements.self == Range<Int>.Iterator.self
    || Elements.self == ClosedRange<Int>.Iterator.self || Elements.self == StrideToIterator<Int>.self
    || Elements.self == StrideThroughIterator<Int>.self || Elements.self == String.Iterator.self
}
