// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ValueOnceTests {
  /// The owner that a place for a value needs.
  private final class Owner<Value> {
    private let once = ValueOnce<Value>()

    deinit { once.free(isPlain: _isPOD(Value.self)) }

    var isSet: Bool { once.isSet }
    var value: Value? { once.value }
    var settled: Value { once.settled }
    func set(_ value: Value) { once.set(value) }
  }

  @Test func `A value is there once it has been set, and stays`() {
    let owner = Owner<(Int, Int, Int)>()
    #expect(!owner.isSet)
    #expect(owner.value == nil)
    owner.set((1, 2, 3))
    #expect(owner.isSet)
    for _ in 0..<2 {
      #expect(owner.settled == (1, 2, 3))
      #expect(owner.value! == (1, 2, 3))
    }
  }

  @Test func `An object lives as long as the owner of its place`() {
    var graveyard = Graveyard()
    do {
      let owner = Owner<Canary>()
      owner.set(graveyard.watch(Canary()))
      #expect(owner.value != nil)
      withExtendedLifetime(owner) { #expect(graveyard.survivors.count == 1) }
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `A value that needs no memory, and one of wide alignment, come back`() {
    let (void, wide) = (Owner<Void>(), Owner<SIMD16<Double>>())
    void.set(())
    #expect(void.value != nil)
    wide.set(SIMD16(repeating: 3))
    #expect(wide.settled == SIMD16(repeating: 3))
  }
}
