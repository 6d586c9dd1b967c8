// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AnyCancellableTests {
  private final class Counter: Cancellable, @unchecked Sendable {
    let count = Locked(0)
    func cancel() { count.change { $0 += 1 } }
  }

  @Test func `The closure runs once, at the first cancel`() {
    var runs = 0
    let cancellable = AnyCancellable { runs += 1 }
    #expect(runs == 0)
    cancellable.cancel()
    cancellable.cancel()
    #expect(runs == 1)
  }

  @Test func `The closure runs when the object is freed`() {
    var runs = 0
    var cancellable: AnyCancellable? = AnyCancellable { runs += 1 }
    #expect(cancellable != nil)
    cancellable = nil
    #expect(runs == 1)
  }

  @Test func `A cancelled object does not run the closure again when it is freed`() {
    var runs = 0
    do {
      let cancellable = AnyCancellable { runs += 1 }
      cancellable.cancel()
    }
    #expect(runs == 1)
  }

  @Test func `Cancelling in the closure does nothing`() {
    var runs = 0
    var cancellable: AnyCancellable?
    cancellable = AnyCancellable {
      runs += 1
      cancellable?.cancel()
    }
    cancellable?.cancel()
    #expect(runs == 1)
  }

  @Test func `Cancelling frees what was wrapped`() {
    var graveyard = Graveyard()
    let byClosure: AnyCancellable = {
      let canary = graveyard.watch(Canary(), "closure's canary")
      return AnyCancellable { withExtendedLifetime(canary) {} }
    }()
    let byObject = AnyCancellable(graveyard.watch(Counter(), "cancellable"))
    #expect(graveyard.survivors == ["closure's canary", "cancellable"])
    byClosure.cancel()
    byObject.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Many threads cancel once`() {
    for _ in 0..<50 {
      let counter = Counter()
      let cancellable = AnyCancellable(counter)
      onThreads(4) { _ in cancellable.cancel() }
      #expect(counter.count.value == 1)
    }
  }

  @Test func `Equality and hash are identity`() {
    let (a, b) = (AnyCancellable {}, AnyCancellable {})
    #expect(a == a)
    #expect(a != b)
    #expect(Set([a, a, b]).count == 2)
  }

  @Test func `Storing puts the very object into a collection or a set`() {
    let cancellable = AnyCancellable {}
    var array: [AnyCancellable] = []
    var set: Set<AnyCancellable> = []
    cancellable.store(in: &array)
    cancellable.store(in: &set)
    #expect(array.first === cancellable)
    #expect(set.contains(cancellable))
  }

  @Test func `Storing any other cancellable wraps it, and cancels it when the collection goes`() {
    let counter = Counter()
    do {
      var array: [AnyCancellable] = []
      counter.store(in: &array)
      #expect(array.count == 1)
      #expect(counter.count.value == 0)
    }
    #expect(counter.count.value == 1)
    do {
      var set: Set<AnyCancellable> = []
      counter.store(in: &set)
      #expect(set.count == 1)
    }
    #expect(counter.count.value == 2)
  }

  @Test func `Storing behind an existential wraps even an AnyCancellable`() {
    let original = AnyCancellable {}
    let existential: any Cancellable = original
    var set: Set<AnyCancellable> = []
    existential.store(in: &set)
    #expect(!set.contains(original))
    #expect(set.count == 1)
  }
}
