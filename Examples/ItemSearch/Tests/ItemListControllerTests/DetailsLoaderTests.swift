// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import ItemListController
import Penstock
import PenstockOperators
import PenstockTesting
import Testing

@Suite("Details of an item")
struct DetailsLoaderTests {
  /// A service that fails as the test says, and records when it was asked.
  private final class Service {
    private var errors: [DetailsError]
    private let time: VirtualTimeScheduler<VirtualTime, Never>
    private(set) var asked: [String] = []

    init(_ errors: [DetailsError], _ time: VirtualTimeScheduler<VirtualTime, Never>) {
      (self.errors, self.time) = (errors, time)
    }

    func ask(_ id: Item.ID) -> AnyPublisher<ItemRecord, any Error> {
      Deferred { [self] () -> Result<ItemRecord, any Error>.Publisher in
        asked.append("\(time.now)")
        return errors.isEmpty
          ? .init(ItemRecord(name: "item-\(id)", summary: "")) : .init(errors.removeFirst())
      }
      .eraseToAnyPublisher()
    }
  }

  private let time = VirtualTimeScheduler()
  private let policy = RetryPolicy.exponential(3, initial: .seconds(1), ceiling: .seconds(10))

  private func loader(_ service: Service) -> DetailsLoader<VirtualTimeScheduler<VirtualTime, Never>> {
    DetailsLoader(policy: policy, scheduler: time, attempt: service.ask)
  }

  private func load(_ errors: [DetailsError]) -> (asked: [String], log: [String]) {
    let service = Service(errors, time)
    var log: [String] = []
    let cancellable = loader(service).loadDetails(1).sink(
      receiveCompletion: { end in
        if case .failure(let error) = end { log.append("\(error)") }
      },
      receiveValue: { log.append($0.name) })
    time.advance(by: 100)
    cancellable.cancel()
    return (service.asked, log)
  }

  @Test func `are asked for again where a connection was lost: at once, then with growing delays`() {
    #expect(load([]) == (["0s"], ["item-1"]))
    #expect(load([.connectionLost]).log == ["item-1"])
    let (asked, log) = load([.connectionLost, .connectionLost, .connectionLost, .connectionLost])
    #expect(log == ["item-1"])
    #expect(asked == ["200s", "200s", "201s", "203s", "207s"])
  }

  @Test func `are given up when the connection is lost each time`() {
    let (asked, log) = load(Array(repeating: .connectionLost, count: 20))
    #expect(log == ["connectionLost"])
    #expect(asked.count == 5)
  }

  @Test(arguments: [DetailsError.tokenExpired, .unknownItem])
  func `are not asked for again where that changes nothing`(error: DetailsError) {
    #expect(load([error]) == (["0s"], ["\(error)"]))
    // After a lost connection, too.
    #expect(load([.connectionLost, .connectionLost, error]).asked == ["100s", "100s", "101s"])
  }

  @Test func `are those of the item that was selected last`() throws {
    let service = Service([.connectionLost, .connectionLost], time)
    let controller = ItemDetailsController(loader: loader(service))
    controller.selection = 1
    // The first item's loader waits to try again.
    controller.selection = 2
    #expect(try controller.details?.get().record.name == "item-2")
    time.advance(by: 100)
    #expect(service.asked.count == 3)
    #expect(try controller.details?.get().id == 2)
  }

  @Test func `are asked for again where the same item is selected`() {
    let service = Service([.tokenExpired], time)
    let controller = ItemDetailsController(loader: loader(service))
    controller.selection = 1
    #expect(throws: DetailsError.tokenExpired) { try controller.details?.get() }
    controller.selection = 1
    #expect(service.asked.count == 2)
  }
}
