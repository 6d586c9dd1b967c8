// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockTesting
import Scenarios
import Testing

@Suite struct ItemListControllerTests {
  private typealias Time = DispatchQueue.SchedulerTimeType

  private let clock = VirtualTimeScheduler<Time, DispatchQueue.SchedulerOptions>(
    now: Time(DispatchTime(uptimeNanoseconds: 1_000_000_000)))

  /// A database that takes a tenth of a second, or a second for a filter of a single letter.
  private func makeDatabase() -> ItemDatabase {
    ItemDatabase(["Francis", "Kaplan", "Pelton"], scheduler: clock) { $0.count == 1 ? 1 : 0.1 }
  }

  @Test func `Without a filter everything is shown`() {
    let controller = ItemListController(database: makeDatabase(), scheduler: clock)
    #expect(controller.items.isEmpty)
    clock.advance(by: 1)
    #expect(controller.items == ["Francis", "Kaplan", "Pelton"])
  }

  @Test func `Typing quickly makes one query`() {
    let database = makeDatabase()
    let controller = ItemListController(database: database, scheduler: clock)
    clock.advance(by: 1)
    for filter in ["p", "pe", "pel", "pelt"] {
      controller.filter = filter
      clock.advance(by: 0.29)
    }
    #expect(database.queries == [""])
    clock.advance(by: 0.01)
    #expect(database.queries == ["", "pelt"])
    clock.advance(by: 0.1)
    #expect(controller.items == ["Pelton"])
  }

  @Test func `Each pause makes a query`() {
    let database = makeDatabase()
    let controller = ItemListController(database: database, scheduler: clock)
    for filter in ["an", "ancis"] {
      controller.filter = filter
      clock.advance(by: 0.3)
    }
    #expect(database.queries == ["an", "ancis"])
  }

  @Test func `The same filter again is no reason for a query`() {
    let database = makeDatabase()
    let controller = ItemListController(database: database, scheduler: clock)
    for _ in 1...3 {
      controller.filter = "an"
      clock.advance(by: 1)
    }
    #expect(database.queries == ["an"])
  }

  @Test func `An answer to an old filter never overwrites a newer one`() {
    let database = makeDatabase()
    let controller = ItemListController(database: database, scheduler: clock)
    controller.filter = "k"
    clock.advance(by: 0.4)
    // The response to "k" is due in 0.9 seconds, the one to "el" in 0.4.
    controller.filter = "el"
    clock.advance(by: 0.4)
    #expect(database.queries == ["k", "el"])
    #expect(controller.items == ["Pelton"])
    clock.advance(by: 10)
    #expect(controller.items == ["Pelton"])
  }

  @Test func `An answer that has not come is forgotten as soon as there is a newer query`() {
    let controller = ItemListController(database: makeDatabase(), scheduler: clock)
    var shown: [[String]] = []
    let cancellable = controller.$items.dropFirst().sink { shown.append($0) }
    controller.filter = "k"
    clock.advance(by: 0.95)
    controller.filter = "f"
    // The response to "k" arrives at 1.3, after the query for "f" at 1.25.
    clock.advance(by: 10)
    #expect(shown == [["Francis"]])
    cancellable.cancel()
  }

  @Test func `The view is told before the list changes`() {
    let controller = ItemListController(database: makeDatabase(), scheduler: clock)
    var before: [[String]] = []
    let cancellable = controller.objectWillChange.sink { [unowned controller] in before.append(controller.items) }
    clock.advance(by: 1)
    #expect(before == [[]])
    #expect(!controller.items.isEmpty)
    cancellable.cancel()
  }

  @Test func `A list that nobody holds is gone, and so is its pipeline`() {
    weak var gone: ItemListController?
    weak var database: ItemDatabase?
    do {
      let held = makeDatabase()
      let controller = ItemListController(database: held, scheduler: clock)
      controller.filter = "k"
      clock.advance(by: 0.4)
      (gone, database) = (controller, held)
    }
    #expect(gone == nil)
    #expect(database == nil)
  }
}
