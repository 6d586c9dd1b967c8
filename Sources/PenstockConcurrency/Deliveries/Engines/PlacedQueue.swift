// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// Values that wait, each at a place that stays the same.
package struct PlacedQueue<Element> {
  private var elements: Deque<Element> = []
  /// The place of the first value.
  private var start = 0

  package init() {}

  package var count: Int { elements.count }
  package var isEmpty: Bool { elements.isEmpty }

  /// - Returns: The place.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return start + elements.count - 1
  }

  package subscript(place: Int) -> Element { elements[place - start] }

  package mutating func replace(at place: Int, with element: Element) { elements[place - start] = element }

  package mutating func removeFirst() -> Element {
    start += 1
    return elements.removeFirst()
  }
}
