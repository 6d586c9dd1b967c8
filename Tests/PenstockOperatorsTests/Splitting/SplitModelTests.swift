// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `grouped` and `window`, compared with references without threads, callbacks or subscriptions, over random scripts.
@Suite struct SplitModelTests {
  /// A part of the model.
  private final class Part {
    let key: Int
    var waiting: [Int] = []
    var demand = 0
    var delivered: [Int] = []
    var (isPublished, isSubscribed, isOpen, isOver, isFinished) = (false, false, true, false, false)

    init(_ key: Int) { self.key = key }

    func serve() {
      guard isSubscribed, !isOver else { return }
      while demand > 0, !waiting.isEmpty {
        demand -= 1
        delivered.append(waiting.removeFirst())
      }
      if waiting.isEmpty, !isOpen {
        isOver = true
        isFinished = true
      }
    }

    func drop() {
      isOver = true
      isOpen = false
      waiting = []
    }
  }

  /// The state of both operators: the difference is which part a value belongs to, and what holds upstream.
  private struct Model {
    let buffer: Int
    /// The size of a window; `nil` for groups.
    let size: Int?
    var parts: [Part] = []
    var demand = 0
    var isAwaiting = false
    var hasFailed = false
    var isOver = false
    /// The number of values in the open window.
    var count = 0
    var window: Part?

    var published: [Part] { parts.filter(\.isPublished) }

    mutating func settle() {
      while demand > 0, let part = parts.first(where: { !$0.isPublished && !hasFailed }) {
        demand -= 1
        part.isPublished = true
      }
      if isOver || isAwaiting { return }
      let holds = parts.contains { !$0.isOver && $0.waiting.count >= buffer && ($0.isPublished || size != nil) }
      let wants = demand > 0 || parts.contains { $0.isOpen } || window != nil
      isAwaiting = wants && !holds
    }

    mutating func send(_ value: Int) {
      isAwaiting = false
      let part: Part
      if let size {
        count = window == nil ? 1 : count + 1
        part = window ?? open(0)
        window = count == size ? nil : part
      } else {
        part = parts.first { $0.isOpen && $0.key == value % 3 } ?? open(value % 3)
        if part.waiting.count >= buffer, !part.isPublished { return fail() }
      }
      if !part.isOver { part.waiting.append(value) }
      if size != nil, window == nil { part.isOpen = false }
      part.serve()
      settle()
    }

    mutating func open(_ key: Int) -> Part {
      parts.append(Part(key))
      return parts.last!
    }

    mutating func fail() {
      (hasFailed, isOver) = (true, true)
      for part in parts where !part.isOver { part.drop() }
    }
  }

  @Test(arguments: [nil, 1, 2, 3] as [Int?], 0..<150)
  func `The operator does what its model does`(_ size: Int?, _ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var model = Model(buffer: size == nil ? 2 : 1, size: size)
    let source = ManualPublisher<Int, TestError>()
    let outer = Recorder<AnyPublisher<Int, any Error>, any Error>(demand: nil)
    if let size {
      source.window(count: size).mapError { $0 as any Error }.map {
        $0.mapError { $0 as any Error }.eraseToAnyPublisher()
      }
      .subscribe(outer)
    } else {
      source.grouped(by: { $0 % 3 }, buffer: 2).map { $0.eraseToAnyPublisher() }.subscribe(outer)
    }
    var readers: [Int: Recorder<Int, any Error>] = [:]
    var (next, answered) = (1, 0)
    for _ in 0..<80 {
      switch generator.next() % 8 {
      case 0:
        model.demand += 1
        model.settle()
        outer.request(.max(1))
      case 1, 2:
        let fresh = model.published.indices.filter { readers[$0] == nil }
        guard let number = fresh.first else { continue }
        model.published[number].isSubscribed = true
        model.published[number].serve()
        let reader = Recorder<Int, any Error>(demand: nil)
        readers[number] = reader
        outer.values[number].subscribe(reader)
        model.settle()
      case 3, 4:
        guard let number = readers.keys.sorted().randomElement(using: &generator) else { continue }
        let part = model.published[number]
        if part.isOver { continue }
        part.demand += 1
        part.serve()
        model.settle()
        readers[number]!.request(.max(1))
      case 5 where generator.next() % 3 == 0:
        guard let number = readers.keys.sorted().randomElement(using: &generator) else { continue }
        model.published[number].drop()
        model.settle()
        readers[number]!.cancel()
      default:
        guard model.isAwaiting, !model.isOver else { continue }
        model.send(next)
        answered += source.send(next).max! - 1
        next += 1
      }
      if model.isOver { break }
      #expect(outer.values.count == model.published.count)
      for (number, reader) in readers {
        let part = model.published[number]
        #expect(reader.values == part.delivered, "part \(number)")
        #expect(reader.completions.isEmpty == !part.isFinished, "part \(number)")
        #expect(reader.complaints.isEmpty)
      }
      let outstanding = source.subscription!.requests.reduce(answered) { $0 + $1.max! }
      #expect(outstanding == (model.isAwaiting ? 1 : 0))
    }
    #expect(outer.completions.isEmpty == !model.hasFailed)
    #expect(outer.complaints.isEmpty)
  }
}
