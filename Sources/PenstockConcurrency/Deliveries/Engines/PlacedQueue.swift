// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Values that wait, each at a place that stays the same.
package struct PlacedQueue<Element> {
  private var elements: [Element?] = []
  /// The number of places that have been taken out of the array.
  private var start = 0
  private var head = 0

  package init() {}

  package var count: Int { elements.count - head }
  package var isEmpty: Bool { head == elements.count }

  /// - Returns: The place.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return start + elements.count - 1
  }

  package subscript(place: Int) -> Element { elements[place - start]! }

  package mutating func replace(at place: Int, with element: Element) { elements[place - start] = element }

  package mutating func removeFirst() -> Element {
    let element = elements[head].take()!
    head += 1
    // Whenever half of the array is empty, so that each value is moved at most once.
    if head == elements.count {
      start += head
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 32, head * 2 >= elements.count {
      elements.removeFirst(head)
      start += head
      head = 0
    }
    return element
  }
}
