// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ObjectTableTests {
  @Test func `An object has one companion, whatever the threads that ask`() {
    let table = ObjectTable<Canary>()
    for _ in 0..<20 {
      let object = Canary()
      let seen = Locked<Set<ObjectIdentifier>>([])
      let kept = Locked<[Canary]>([])
      onThreads(4) { _ in
        let companion = table.companion(of: object) { Canary() }
        kept.change { $0.append(companion) }
        seen.change { _ = $0.insert(ObjectIdentifier(companion)) }
      }
      #expect(seen.value.count == 1)
    }
  }

  @Test func `Entries of objects that are gone are cleared away as the table grows`() {
    let table = ObjectTable<Canary>()
    var graveyard = Graveyard()
    for round in 0..<10 {
      // All objects at once, so that each has an address of its own.
      let objects = (0..<100).map { _ in Canary() }
      let companions = objects.map { object in table.companion(of: object) { Canary() } }
      if round == 0 { _ = graveyard.watch(companions[0]) }
    }
    #expect(table.count <= 400)
    // More than the table holds by now: it has to grow, even if some addresses have been reused.
    let living = (0..<1_000).map { _ in Canary() }
    for object in living { _ = table.companion(of: object) { Canary() } }
    #expect(table.count >= living.count)
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Entries of living objects stay`() {
    let table = ObjectTable<Canary>()
    let objects = (0..<200).map { _ in Canary() }
    let companions = objects.map { object in table.companion(of: object) { Canary() } }
    #expect(table.count == 200)
    for (object, companion) in zip(objects, companions) {
      #expect(table.companion(of: object) { Canary() } === companion)
    }
  }

  @Test func `An object at the address of one that is gone gets a companion of its own`() {
    let table = ObjectTable<Canary>()
    var addresses: [ObjectIdentifier: ObjectIdentifier] = [:]
    var kept: [Canary] = []
    var reused = 0
    for _ in 0..<200 {
      let object = Canary()
      let companion = table.companion(of: object) { Canary() }
      kept.append(companion)
      if let earlier = addresses[ObjectIdentifier(object)] {
        reused += 1
        #expect(earlier != ObjectIdentifier(companion))
      }
      addresses[ObjectIdentifier(object)] = ObjectIdentifier(companion)
    }
    #expect(reused > 0 || addresses.count == 200)
  }
}
