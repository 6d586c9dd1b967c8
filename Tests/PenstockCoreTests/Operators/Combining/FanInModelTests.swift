// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The combining operators compared with models of a few lines, for every short course of events and many long ones.
@Suite struct FanInModelTests {
  private final class Zip: CourseModel {
    var queues: [[Int]] = [[], []]
    var isDelivering = false
    var requested = Demand.none

    override var asksLater: Bool { true }

    override func add(_ more: Demand) {
      if isDelivering { requested += more } else { askAll(for: more) }
    }

    override func receive(_ value: Int, from source: Int) -> Demand {
      queues[source].append(value)
      guard queues.allSatisfy({ !$0.isEmpty }) else { return .none }
      let outer = (isDelivering, requested)
      (isDelivering, requested) = (true, .none)
      let answer = deliver(queues.indices.map { queues[$0].removeFirst() })
      let wanted = answer + requested
      (isDelivering, requested) = outer
      if hasEnded { return .none }
      if sources.contains(where: { isOver[$0] && queues[$0].isEmpty }) {
        complete(.finished)
        return .none
      }
      askAll(for: wanted, but: source)
      return wanted
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      if completion != .finished {
        // The upstream that has failed is cancelled, too.
        isOver[source] = false
        complete(completion)
      } else if queues[source].isEmpty {
        complete(.finished)
      }
    }
  }

  private final class CombineLatest: CourseModel {
    var latest: [Int?] = [nil, nil]
    var isDelivering = false

    override var asksLater: Bool { true }

    override func add(_ more: Demand) {
      demand += more
      askAll(for: more)
    }

    override func receive(_ value: Int, from source: Int) -> Demand {
      latest[source] = value
      let tuple = latest.compactMap { $0 }
      guard tuple.count == latest.count, demand != .none, !isDelivering else { return .none }
      demand -= 1
      isDelivering = true
      let more = deliver(tuple)
      isDelivering = false
      demand += more
      askAll(for: more, but: source)
      return more
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      if completion != .finished || isOver.allSatisfy({ $0 }) { complete(completion) }
    }
  }

  private final class Merge: CourseModel {
    var waiting: [Int?] = [nil, nil]
    var isDelivering = false

    override var asksLater: Bool { true }

    override func start() { askAll(for: .max(1)) }

    override func add(_ more: Demand) {
      grant(more)
      if !isDelivering { drain() }
    }

    func grant(_ more: Demand) {
      if demand == .unlimited { return }
      demand += more
      if demand == .unlimited { askAll(for: .unlimited) }
    }

    func drain() {
      while demand != .none, !hasEnded, let source = waiting.firstIndex(where: { $0 != nil }) {
        let value = waiting[source]!
        waiting[source] = nil
        take(value)
        if demand != .unlimited { ask(source, for: .max(1)) }
      }
      finishIfDone()
    }

    func take(_ value: Int) {
      let isNested = isDelivering
      isDelivering = true
      demand -= 1
      grant(deliver([value]))
      isDelivering = isNested
    }

    override func receive(_ value: Int, from source: Int) -> Demand {
      if demand == .unlimited { return deliver([value]) }
      guard demand != .none else {
        waiting[source] = value
        return .none
      }
      take(value)
      if !isDelivering { drain() }
      return .max(1)
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      if completion == .finished { return finishIfDone() }
      isOver[source] = false
      complete(completion)
    }

    func finishIfDone() {
      if !hasEnded, isOver.allSatisfy({ $0 }), waiting.allSatisfy({ $0 == nil }) { complete(.finished) }
    }
  }

  @Test(arguments: Reaction.all)
  func `zip goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, Zip.self) { $0[0].zip($0[1]) { [$0, $1] }.eraseToAnyPublisher() }
  }

  @Test(arguments: Reaction.all)
  func `combineLatest goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, CombineLatest.self) { $0[0].combineLatest($0[1]) { [$0, $1] }.eraseToAnyPublisher() }
  }

  @Test(arguments: Reaction.all)
  func `merge goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, Merge.self) {
      Publishers.Merge($0[0], $0[1]).map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.moving(sources: 2))
  func `Moves during a value's delivery go as in the models`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, Zip.self, length: 2, random: 100) {
      $0[0].zip($0[1]) { [$0, $1] }.eraseToAnyPublisher()
    }
    Course.checkAll(2, reaction, CombineLatest.self, length: 2, random: 100) {
      $0[0].combineLatest($0[1]) { [$0, $1] }.eraseToAnyPublisher()
    }
    Course.checkAll(2, reaction, Merge.self, length: 2, random: 100) {
      Publishers.Merge($0[0], $0[1]).map { [$0] }.eraseToAnyPublisher()
    }
  }
}
