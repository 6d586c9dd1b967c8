// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The flattening operators compared with models of a few lines, for every short course of events and many long ones.
///
/// The first source is upstream; each of its values opens the next of the other sources.
@Suite struct FlatteningModelTests {
  private class Flattening: CourseModel {
    var opened = 0

    override var asksLater: Bool { true }

    func isOpen(_ source: Int) -> Bool { source <= opened }

    override func allows(_ move: Move) -> Bool {
      switch move {
      case .send(let source): source == 0 ? opened < isOver.count - 1 : isOpen(source)
      case .finish(let source), .fail(let source): isOpen(source)
      case .request, .cancel: true
      }
    }

    override func cancelSource(_ source: Int) {
      if isOpen(source) { super.cancelSource(source) } else { isOver[source] = true }
    }

    override final func receive(_ value: Int, from source: Int) -> Demand {
      if source != 0 { return take(value, from: source) }
      open()
      return .none
    }

    func open() {}
    func take(_ value: Int, from source: Int) -> Demand { .none }
  }

  private class FlatMap: Flattening {
    var waiting: [(Int, source: Int)] = []
    var isDelivering = false
    var isUnlimited: [Bool] = []
    /// Whether inner publishers get unlimited demand: as soon as no value waits.
    var wantsAll = false
    /// Whether the number of simultaneous inner publishers is limited.
    var isLimited: Bool { false }

    override func start() {
      isUnlimited = isOver.map { _ in false }
      ask(0, for: isLimited ? .max(1) : .unlimited)
    }

    override func open() {
      opened += 1
      isUnlimited[opened] = wantsAll
      askNow(opened, for: wantsAll ? .unlimited : .max(1))
    }

    override func take(_ value: Int, from source: Int) -> Demand {
      if demand == .unlimited {
        _ = deliver([value])
        return .none
      }
      guard demand != .none, waiting.isEmpty else {
        waiting.append((value, source))
        return .none
      }
      count(value)
      if !isDelivering { drain() }
      return .max(1)
    }

    func count(_ value: Int) {
      let isNested = isDelivering
      isDelivering = true
      demand -= 1
      demand += deliver([value])
      isDelivering = isNested
    }

    override func add(_ more: Demand) {
      demand += more
      if !isDelivering { drain() }
    }

    func drain() {
      while demand != .none, !hasEnded, let (value, source) = waiting.first {
        waiting.removeFirst()
        count(value)
        ask(source, for: .max(1))
      }
      finishIfDone()
      guard demand == .unlimited, !hasEnded else { return }
      wantsAll = true
      for source in sources.dropFirst() where isOpen(source) && !isUnlimited[source] {
        isUnlimited[source] = true
        ask(source, for: .unlimited)
      }
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      if completion != .finished { return complete(completion) }
      if source != 0, isLimited { ask(0, for: .max(1)) }
      finishIfDone()
    }

    func finishIfDone() {
      if !hasEnded, waiting.isEmpty, sources.allSatisfy({ isOver[$0] || !isOpen($0) }) { complete(.finished) }
    }
  }

  private final class LimitedFlatMap: FlatMap {
    override var isLimited: Bool { true }
  }

  private final class Switch: Flattening {
    var current: Int?
    /// The latest inner publisher, which may have ended.
    var latest: Int?

    override func start() { ask(0, for: .unlimited) }

    override func open() {
      if let current { cancelSource(current) }
      opened += 1
      current = opened
      latest = opened
      ask(opened, for: demand)
    }

    override func allows(_ move: Move) -> Bool {
      // A value without demand traps.
      if case .send(let source) = move, source == current, demand == .none, !hasEnded { return false }
      return super.allows(move)
    }

    override func take(_ value: Int, from source: Int) -> Demand {
      if demand == .unlimited { return deliver([value]) }
      demand -= 1
      let more = deliver([value])
      demand += more
      if source == latest { return more }
      // Demand that is returned to a replaced inner publisher goes to the new one.
      if let current { ask(current, for: more) }
      return .none
    }

    override func add(_ more: Demand) {
      demand += more
      if let current { ask(current, for: more) }
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      if completion != .finished { return complete(completion) }
      if source != 0 { current = nil }
      if isOver[0], current == nil { complete(.finished) }
    }
  }

  @Test(arguments: Reaction.all)
  func `flatMap goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(4, reaction, FlatMap.self) { sources in
      var next = 0
      return sources[0].flatMap { _ in
        next += 1
        return sources[next]
      }.map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.all)
  func `flatMap of one stream at a time goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(3, reaction, LimitedFlatMap.self) { sources in
      var next = 0
      return sources[0].flatMap(maxPublishers: .max(1)) { _ in
        next += 1
        return sources[next]
      }.map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.all)
  func `switchToLatest goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(4, reaction, Switch.self) { sources in
      var next = 0
      return sources[0].map { _ in
        // A map is transparent, so it also receives values after the end.
        next = min(next + 1, sources.count - 1)
        return sources[next]
      }.switchToLatest().map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.moving(sources: 3))
  func `Moves during a value's delivery go as in the models`(_ reaction: Reaction) {
    for limit in [Subscribers.Demand.unlimited, .max(1)] {
      let model = limit == .unlimited ? FlatMap.self : LimitedFlatMap.self
      Course.checkAll(3, reaction, model, length: 2, random: 100) { sources in
        var next = 0
        return sources[0].flatMap(maxPublishers: limit) { _ in
          next += 1
          return sources[next]
        }.map { [$0] }.eraseToAnyPublisher()
      }
    }
    Course.checkAll(3, reaction, Switch.self, length: 2, random: 100) { sources in
      var next = 0
      return sources[0].map { _ in
        next = min(next + 1, sources.count - 1)
        return sources[next]
      }.switchToLatest().map { [$0] }.eraseToAnyPublisher()
    }
  }
}
