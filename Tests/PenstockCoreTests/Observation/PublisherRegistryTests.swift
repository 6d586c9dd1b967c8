// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

private final class ReplacingChannel: ObservableObject {
  @Published var level = 0

  func replace() { _level = Published(initialValue: 5) }
}

private final class Borrowing: ObservableObject, @unchecked Sendable {
  @Published var level = 0

  func borrow(from other: Borrowing) { _level = other._level }
}

@Suite struct PublisherRegistryTests {
  @Test func `A publisher is found by its object, and by no other`() {
    let known = PublisherRegistry()
    let (object, other, publisher) = (Canary(), Canary(), ObservableObjectPublisher())
    #expect(known.publisher(of: object) == nil)
    known.remember(publisher, of: object)
    #expect(known.publisher(of: object) === publisher)
    #expect(known.publisher(of: other) == nil)
    known.forget(publisher)
    known.forget(publisher)
    #expect(known.publisher(of: object) == nil)
    #expect(known.count == 0)
    known.remember(publisher, of: other)
    #expect(known.publisher(of: other) === publisher)
  }

  @Test func `A publisher of two objects is remembered for one of them`() {
    let known = PublisherRegistry()
    let (first, second, publisher) = (Canary(), Canary(), ObservableObjectPublisher())
    known.remember(publisher, of: first)
    known.remember(publisher, of: second)
    #expect(known.publisher(of: first) === publisher)
    #expect(known.publisher(of: second) == nil)
    known.forget(publisher)
    #expect(known.count == 0)
  }

  @Test func `An object at the address of one that is gone is not taken for it, and keeps its own entry`() {
    let known = PublisherRegistry()
    var publishers: [ObjectIdentifier: ObservableObjectPublisher] = [:]
    var reused = 0
    for _ in 0..<200 {
      let object = Canary()
      #expect(known.publisher(of: object) == nil)
      let publisher = ObservableObjectPublisher()
      known.remember(publisher, of: object)
      if let earlier = publishers.updateValue(publisher, forKey: ObjectIdentifier(object)) {
        reused += 1
        known.forget(earlier)
      }
      #expect(known.publisher(of: object) === publisher)
    }
    #expect(reused > 0 || publishers.count == 200)
  }

  @Test func `Neither an object nor its publisher is kept`() {
    var graveyard = Graveyard()
    let known = PublisherRegistry()
    do {
      let (object, publisher) = (graveyard.watch(Canary()), graveyard.watch(ObservableObjectPublisher()))
      known.remember(publisher, of: object)
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Nothing is left of objects that are gone`() {
    do {
      let gauges = (0..<5_000).map { _ in Gauge() }
      for gauge in gauges { #expect(gauge.objectWillChange === gauge.objectWillChange) }
      // The optimiser would release them after their last use.
      withExtendedLifetime(gauges) { #expect(PublisherRegistry.shared.count >= 5_000) }
    }
    // Other tests have objects, too, but fewer than that.
    #expect(PublisherRegistry.shared.count < 2_500)
  }

  @Test func `Each object has a publisher of its own, though earlier ones are kept, and addresses used again`() {
    var kept: [ObservableObjectPublisher] = []
    for _ in 0..<200 {
      let gauge = Gauge()
      kept.append(gauge.objectWillChange)
      #expect(gauge.objectWillChange === kept.last)
    }
    #expect(Set(kept.map(ObjectIdentifier.init)).count == 200)
  }

  @Test func `A property that is replaced is found by the next look`() {
    let object = ReplacingChannel()
    let before = object.objectWillChange
    object.replace()
    var changes = 0
    let cancellable = object.objectWillChange.sink { changes += 1 }
    object.level = 6
    #expect(changes == 1)
    #expect(object.objectWillChange !== before)
    cancellable.cancel()
  }

  @Test func `Objects that share a property share its publisher, whatever becomes of the first`() {
    var first: Borrowing? = Borrowing()
    let second = Borrowing()
    let publisher = first!.objectWillChange
    second.borrow(from: first!)
    #expect(second.objectWillChange === publisher)
    first = nil
    #expect(second.objectWillChange === publisher)
    #expect(second.objectWillChange === publisher)
  }

  @Test func `Threads that look at one object find one publisher, and free it without harm`() {
    for _ in 0..<100 {
      let object = Locked<Borrowing?>(Borrowing())
      let seen = Locked<Set<ObjectIdentifier>>([])
      let kept = Locked<[ObservableObjectPublisher]>([])
      onThreads(4) { index in
        for round in 0..<20 {
          if let publisher = object.value?.objectWillChange {
            seen.change { _ = $0.insert(ObjectIdentifier(publisher)) }
            kept.change { $0.append(publisher) }
          }
          if index == 0, round == 15 { object.change { $0 = nil } }
        }
      }
      #expect(seen.value.count == 1)
    }
  }
}
