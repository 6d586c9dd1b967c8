// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ValueSlotTests {
  /// A slot in an object: the macros of the tests need a copyable value.
  private final class Place<Value> {
    private var slot = ValueSlot<Value>()

    deinit {
      if slot.isUsed { slot.empty() }
    }

    var isFull: Bool { slot.isFull }
    var isUsed: Bool { slot.isUsed }
    func put(_ value: Value) { slot.put(value) }
    func take() -> Value { slot.take() }
    func takeIfFull() -> Value? { slot.takeIfFull() }
    func copy() -> Value { slot.copy() }
    func replace(with value: Value) -> Value? { slot.replace(with: value) }
    func empty() { slot.empty() }
  }

  /// A value of five words that owns an object.
  private struct Large {
    var canary: Canary
    var numbers = (1, 2, 3, 4)
  }

  @Test func `A value is put, copied and taken`() {
    let place = Place<Int>()
    #expect(!place.isUsed)
    #expect(place.takeIfFull() == nil)
    place.put(1)
    #expect(place.isFull)
    #expect(place.copy() == 1)
    #expect(place.take() == 1)
    #expect(!place.isUsed)
    place.put(2)
    #expect(place.takeIfFull() == 2)
    #expect(!place.isFull)
  }

  @Test func `A large value keeps its memory for the next one`() {
    let place = Place<(Int, Int, Int)>()
    for number in 1...3 {
      place.put((number, number, number))
      #expect(place.copy().2 == number)
      #expect(place.take() == (number, number, number))
      #expect(!place.isFull)
      #expect(place.isUsed)
    }
    place.empty()
    #expect(!place.isUsed)
    place.put((7, 8, 9))
    #expect(place.take() == (7, 8, 9))
  }

  @Test func `An object lives as long as it is in its place`() {
    var graveyard = Graveyard()
    let place = Place<Canary>()
    place.put(graveyard.watch(Canary(), "first"))
    #expect(graveyard.survivors == ["first"])
    let replaced = place.replace(with: graveyard.watch(Canary(), "second"))
    #expect(replaced != nil)
    withExtendedLifetime(replaced) { #expect(graveyard.survivors.sorted() == ["first", "second"]) }
    place.empty()
    #expect(!graveyard.survivors.contains("second"))
  }

  @Test func `What is in a place is freed with its owner`() {
    var graveyard = Graveyard()
    do {
      let (small, large) = (Place<Canary>(), Place<Large>())
      small.put(graveyard.watch(Canary(), "small"))
      large.put(Large(canary: graveyard.watch(Canary(), "large")))
      _ = large.replace(with: Large(canary: graveyard.watch(Canary(), "larger")))
      #expect(graveyard.survivors.sorted() == ["larger", "small"])
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A plain value that is replaced is not returned`() {
    let place = Place<Int>()
    #expect(place.replace(with: 1) == nil)
    #expect(place.replace(with: 2) == nil)
    #expect(place.take() == 2)
  }
}
