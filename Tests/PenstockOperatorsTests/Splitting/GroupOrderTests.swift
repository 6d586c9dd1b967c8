// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// The order in which groups end, which does not depend on a hash table.
@Suite struct GroupOrderTests {
  @Test(arguments: [2, 10, 1_000])
  func `Groups finish in the order in which they came`(_ count: Int) {
    var finished: [Int] = []
    let cancellable = (0..<(3 * count)).publisher
      .grouped(by: { ($0 * 7 + 3) % count }, maxGroups: count)
      .flatMap { group in group.collect().map { _ in group.key } }
      .sink(receiveCompletion: { _ in }, receiveValue: { finished.append($0) })
    #expect(finished == (0..<count).map { ($0 * 7 + 3) % count })
    cancellable.cancel()
  }

  @Test func `Groups fail in the order in which they came`() {
    let source = PassthroughSubject<Int, TestError>()
    var failed: [Int] = []
    var groups: [AnyCancellable] = []
    let cancellable = source.grouped { $0 }.sink(receiveCompletion: { _ in }) { group in
      groups.append(group.sink(receiveCompletion: { _ in failed.append(group.key) }, receiveValue: { _ in }))
    }
    let keys = (0..<50).map { $0 * 31 % 50 }
    keys.forEach(source.send)
    source.send(completion: .failure(.oops))
    #expect(failed == keys)
    withExtendedLifetime((cancellable, groups)) {}
  }

  @Test func `A group that begins anew has a new place, and one that has gone has none`() {
    let source = PassthroughSubject<String, Never>()
    var finished: [String] = []
    var groups: [String: AnyCancellable] = [:]
    let cancellable = source.grouped { $0 }.sink(receiveCompletion: { _ in }) { group in
      groups[group.key] = group.sink(receiveCompletion: { _ in finished.append(group.key) }, receiveValue: { _ in })
    }
    ["a", "b", "c", "d"].forEach(source.send)
    groups["a"]?.cancel()
    groups["c"]?.cancel()
    source.send("a")
    source.send(completion: .finished)
    #expect(finished == ["b", "d", "a"])
    cancellable.cancel()
  }

  @Test func `Groups that end when they are idle end by their last values, and the others in their order`() {
    let (source, scheduler) = (PassthroughSubject<String, Never>(), VirtualTimeScheduler())
    var finished: [String] = []
    let cancellable = source.grouped(by: { $0 }, idleAfter: 10, scheduler: scheduler)
      .flatMap { group in group.collect().map { _ in group.key } }
      .sink(receiveCompletion: { _ in }, receiveValue: { finished.append($0) })
    ["a", "b", "c", "a", "d"].forEach {
      source.send($0)
      scheduler.advance(by: 1)
    }
    scheduler.advance(by: 7)
    #expect(finished == ["b", "c"])
    source.send(completion: .finished)
    #expect(finished == ["b", "c", "a", "d"])
    cancellable.cancel()
  }

  @Test func `The groups of a run do not depend on when they are asked for`() {
    var finished: [Int] = []
    let recorder = Recorder<GroupedPublisher<Int, Int, any Error>, any Error>(demand: .max(1), answering: .max(1))
    var groups: [AnyCancellable] = []
    recorder.onValue = { group in
      groups.append(group.sink(receiveCompletion: { _ in finished.append(group.key) }, receiveValue: { _ in }))
      return .max(1)
    }
    (0..<20).publisher.grouped { $0 * 3 % 20 }.subscribe(recorder)
    #expect(finished == (0..<20).map { $0 * 3 % 20 })
    #expect(recorder.isFinished)
  }
}
