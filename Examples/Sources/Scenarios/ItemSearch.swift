// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let itemSearch = Scenario(
    name: "search", heading: "Live item search: one query for quick typing, and no answer that comes too late"
  ) { page, tempo in
    var logger = tempo.logger(to: page)
    let database = ItemDatabase(["Francis", "Kaplan", "Pelton", "Turgo", "Tyson"], scheduler: tempo) { filter in
      // A single letter matches many items, and takes longer.
      filter.count == 1 ? 1 : 0.1
    }
    let controller = ItemListController(database: database, scheduler: tempo)
    let list = controller.$items.dropFirst()
      .sink { print("Items: \($0.joined(separator: ", "))", to: &logger) }
    func type(_ filter: String, wait seconds: Tempo.SchedulerTimeType.Stride) {
      print("Typed: \(filter)", to: &logger)
      controller.filter = filter
      tempo.run(for: seconds)
    }

    type("p", wait: 0.05)
    type("pe", wait: 0.05)
    type("pel", wait: 0.9)
    print("Queries so far: \(database.queries.joined(separator: ", "))", to: &logger)

    type("k", wait: 0.5)
    type("tu", wait: 1.5)
    print("Queries so far: \(database.queries.joined(separator: ", "))", to: &logger)
    print("Items at last: \(controller.items.joined(separator: ", "))", to: &logger)
    list.cancel()
  }
}
