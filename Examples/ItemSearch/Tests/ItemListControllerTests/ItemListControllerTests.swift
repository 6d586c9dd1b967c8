// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import ItemListController
import Penstock
import PenstockTesting
import Testing

/// Answers when the test says so.
private final class Desk: ItemLoading {
  private(set) var asked: [String] = []
  private(set) var givenUp: [String] = []
  private var answers: [String: PassthroughSubject<[Item], Never>] = [:]

  func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[Item], Never> {
    asked.append(filter)
    let answer = PassthroughSubject<[Item], Never>()
    answers[filter] = answer
    return answer.handleEvents(receiveCancel: { self.givenUp.append(filter) }).eraseToAnyPublisher()
  }

  func answer(_ filter: String) {
    answers[filter]?.send([Item(id: 1, name: filter, section: "", summary: "")])
    answers[filter]?.send(completion: .finished)
  }
}

@Suite("A list of items")
struct ItemListControllerTests {
  private let time = VirtualTimeScheduler()
  private let desk = Desk()

  private func type(_ keys: [String], into list: ItemListController<VirtualTimeScheduler<VirtualTime, Never>>) {
    for key in keys {
      list.filter += key
      time.advance(by: 0.1)
    }
  }

  @Test func `asks once for a burst of keys, 0.3 seconds after the last one`() {
    let list = ItemListController(database: desk, scheduler: time)
    time.advance(by: 1)
    type(["g", "a", "t", "e"], into: list)
    time.advance(by: 0.19)
    #expect(desk.asked == [""])
    time.advance(by: 0.01)
    #expect(desk.asked == ["", "gate"])
    desk.answer("gate")
    #expect(list.items.map(\.name) == ["gate"])
  }

  @Test func `never shows an answer to an old filter over a newer one`() {
    let list = ItemListController(database: desk, scheduler: time)
    list.filter = "ga"
    time.advance(by: 0.3)
    list.filter = "gate"
    time.advance(by: 0.3)
    #expect(desk.givenUp == ["ga"])
    desk.answer("gate")
    desk.answer("ga")
    #expect(list.items.map(\.name) == ["gate"])
  }

  @Test func `shows what it has while an answer is under way`() {
    let list = ItemListController(database: desk, scheduler: time)
    list.filter = "ga"
    time.advance(by: 0.3)
    desk.answer("ga")
    list.filter = "gate"
    time.advance(by: 0.3)
    #expect(list.items.map(\.name) == ["ga"])
    #expect(desk.givenUp.isEmpty)
  }

  @Test func `asks nothing anew for the same filter`() {
    let list = ItemListController(database: desk, scheduler: time)
    list.filter = "ga"
    list.filter = "ga"
    time.advance(by: 1)
    list.filter = "ga"
    time.advance(by: 1)
    #expect(desk.asked == ["ga"])
  }

  @Test func `tells its observers before it changes`() {
    let list = ItemListController(database: desk, scheduler: time)
    list.filter = "ga"
    time.advance(by: 0.3)
    var before: [Int] = []
    let cancellable = list.objectWillChange.sink { [unowned list] in before.append(list.items.count) }
    desk.answer("ga")
    #expect(before == [0])
    #expect(list.items.count == 1)
    cancellable.cancel()
  }

  @Test func `leaves nothing behind, and takes its question back`() {
    weak var weakList: ItemListController<VirtualTimeScheduler<VirtualTime, Never>>?
    do {
      let list = ItemListController(database: desk, scheduler: time)
      weakList = list
      list.filter = "ga"
      time.advance(by: 0.3)
    }
    #expect(weakList == nil)
    #expect(desk.givenUp == ["ga"])
  }
}
