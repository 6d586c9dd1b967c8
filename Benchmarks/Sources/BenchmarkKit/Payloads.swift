// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The captured box in which the closures of every workload store what they receive.
///
/// The sum is in memory of its own: a variable of a class of another module would be checked for exclusive access at
/// run time, which takes longer (76 instructions for each value) than most of the measured work.
public final class Tally {
  @usableFromInline internal let place: UnsafeMutablePointer<Int>

  @inlinable
  public var sum: Int {
    get { place.pointee }
    set { place.pointee = newValue }
  }

  @inlinable
  public init() {
    place = .allocate(capacity: 1)
    place.initialize(to: 0)
  }

  deinit { place.deallocate() }

  @inlinable
  public func add(_ value: Int) { place.pointee &+= value }
}

/// A payload that is a reference.
public final class Token: Sendable {
  public let number: Int

  @inlinable
  public init(_ number: Int) { self.number = number }
}

/// A sequence that repeats an array until a number of elements has been delivered.
///
/// It allocates nothing, so that a workload with strings or objects measures the library.
public struct Cycle<Element>: Sequence, IteratorProtocol {
  @usableFromInline internal let elements: [Element]
  @usableFromInline internal var place = 0
  @usableFromInline internal var left: Int

  @inlinable
  public init(_ elements: [Element], count: Int) {
    self.elements = elements
    left = count
  }

  @inlinable
  public mutating func next() -> Element? {
    guard left > 0 else { return nil }
    left -= 1
    let element = elements[place]
    place += 1
    if place == elements.count { place = 0 }
    return element
  }
}

/// Strings that are too long to be stored inline, like most strings in practice.
public let words: [String] = (0..<16).map { "a string on the heap, number \($0)" }

public let tokens: [Token] = (0..<16).map(Token.init)
