// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import OwnOperators
import PenstockKit
import PenstockTesting
import Testing

@Suite struct OwnOperatorsTests {
  @Test func `Numbers are negated, and their changes published`() {
    #expect(collected([1, 2].publisher.negated()) == [-1, -2])
    #expect(collected([1, 4, 9].publisher.changes()) == [3, 5])
  }

  @Test func `Values pass through the first one that is the last`() {
    #expect(collected((1...9).publisher.through { $0 == 3 }) == [1, 2, 3])
  }

  @Test(arguments: [1, 2, 5, 100])
  func `Lines come whole, however the text is cut`(_ size: Int) {
    let text = "GET /\n\nHost: here\nlast"
    let pieces = stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
    #expect(collected(pieces.publisher.lines()) == ["GET /", "", "Host: here", "last"])
  }

  @Test func `Lines that are not asked for wait, and no text is asked for meanwhile`() {
    var asked = 0
    let recording = Recording<String, Never>(demand: .max(1))
    recording.subscribe(
      to: ["a\nb\n", "c\n"].publisher.handleEvents(receiveOutput: { _ in asked += 1 }).lines())
    #expect(recording.values == ["a"])
    #expect(asked == 1)
    recording.request(.unlimited)
    #expect(recording.values == ["a", "b", "c"])
    #expect(recording.completion == .finished)
  }

  @Test func `A gate lets values pass while it is open`() {
    let (flow, gate) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    var seen: [Int] = []
    let cancellable = flow.gated(by: gate).sink { seen.append($0) }
    flow.send(1)
    gate.send(true)
    flow.send(2)
    gate.send(false)
    flow.send(3)
    #expect(seen == [2])
    cancellable.cancel()
  }

  @Test func `Values are late, and keep their order`() throws {
    let scheduler = VirtualTimeScheduler()
    var delays = [3, 1, 2].makeIterator()
    var seen: [Int] = []
    let cancellable = [1, 2, 3].publisher
      .jittered(on: scheduler) { .seconds(delays.next()!) }.sink { seen.append($0) }
    scheduler.advance(by: .seconds(2))
    #expect(seen.isEmpty)
    scheduler.advance(by: .seconds(1))
    #expect(seen == [1, 2, 3])
    cancellable.cancel()
  }

  @Test func `Chunks end at signals, and what is left comes at the end`() {
    let (values, flush) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let recording = Recording<[Int], Never>(demand: .unlimited)
    recording.subscribe(to: values.chunks(until: flush))
    values.send(1)
    values.send(2)
    flush.send()
    flush.send()
    values.send(3)
    values.send(completion: .finished)
    #expect(recording.values == [[1, 2], [3]])
    #expect(recording.completion == .finished)
  }

  @Test func `A chunk that nobody has asked for waits and grows, and one value at a time is asked for`() {
    var asked = 0
    let flush = PassthroughSubject<Void, Never>()
    let recording = Recording<[Int], Never>(demand: .max(1))
    let numbers = (1...5).publisher.handleEvents(receiveOutput: { if $0 == 3 { flush.send() } })
    recording.subscribe(to: numbers.handleEvents(receiveOutput: { _ in asked += 1 }).chunks(until: flush))
    #expect(recording.values == [[1, 2]])
    #expect(asked == 3)
    flush.send()
    #expect(recording.values == [[1, 2]])
    recording.request(.max(1))
    #expect(recording.values == [[1, 2], [3]])
    recording.request(.max(1))
    #expect(recording.values == [[1, 2], [3], [4, 5]])
    #expect(recording.completion == .finished)
  }

  @Test func `A cancel of chunks cancels both publishers, and delivers no rest`() {
    var cancels = 0
    let (values, flush) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let recording = Recording<[Int], Never>(demand: .unlimited)
    recording.subscribe(
      to: values.handleEvents(receiveCancel: { cancels += 1 })
        .chunks(until: flush.handleEvents(receiveCancel: { cancels += 1 })))
    values.send(1)
    recording.cancel()
    flush.send()
    #expect(cancels == 2)
    #expect(recording.values == [])
  }

  @Test func `A rate tells its last, partial second`() throws {
    let scheduler = VirtualTimeScheduler()
    let clicks = PassthroughSubject<Int, Never>()
    let ticks = PassthroughSubject<Void, Never>()
    let clock = scheduler.schedule(
      after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(1), tolerance: .zero, options: nil
    ) { ticks.send() }
    var seen: [Int] = []
    let cancellable = clicks.rate(at: ticks).sink { seen.append($0) }
    for number in 1...5 {
      clicks.send(number)
      scheduler.advance(by: .milliseconds(400))
    }
    clicks.send(completion: .finished)
    // At 0, 0.4 and 0.8 s, then at 1.2 and 1.6 s.
    #expect(seen == [3, 2])
    clicks.send(6)
    #expect(seen == [3, 2])
    clock.cancel()
    cancellable.cancel()

    let others = PassthroughSubject<Int, Never>()
    let partial = others.rate(at: ticks).sink { seen.append($0) }
    others.send(1)
    others.send(completion: .finished)
    #expect(seen == [3, 2, 1])
    partial.cancel()
  }

  @Test func `What has come is flushed after a pause, or when it is enough, or at the end`() {
    let scheduler = VirtualTimeScheduler()
    let keys = PassthroughSubject<String, Never>()
    var seen: [String] = []
    let cancellable = keys.flushed(upTo: 3, afterIdle: .seconds(1), on: scheduler)
      .sink(receiveCompletion: { seen.append("\($0)") }, receiveValue: { seen.append($0.joined()) })
    for key in ["a", "b"] {
      keys.send(key)
      scheduler.advance(by: .milliseconds(900))
    }
    #expect(seen == [])
    scheduler.advance(by: .milliseconds(100))
    #expect(seen == ["ab"])
    ["c", "d", "e", "f"].forEach(keys.send)
    scheduler.advance()
    #expect(seen == ["ab", "cde"])
    keys.send(completion: .finished)
    scheduler.advance()
    #expect(seen == ["ab", "cde", "f", "finished"])
    #expect(scheduler.pending.isEmpty)
    cancellable.cancel()
  }

  @Test func `A cancel of a flush leaves nothing at the scheduler, and nothing comes`() {
    let scheduler = VirtualTimeScheduler()
    let keys = PassthroughSubject<String, Never>()
    let recording = Recording<[String], Never>(demand: .unlimited)
    recording.subscribe(to: keys.flushed(upTo: 3, afterIdle: .seconds(1), on: scheduler))
    keys.send("a")
    recording.cancel()
    #expect(scheduler.pending.isEmpty)
    scheduler.advance(by: .seconds(9))
    #expect(recording.values == [])
  }

  @Test func `Rows are read as they are asked for, and a cancel closes the cursor`() async throws {
    let cursor = Cursor(count: 1_000)
    let recording = Recording<Int, Cursor.Failure>(demand: .max(2))
    recording.subscribe(to: Publishers.rows { cursor })
    #expect(try await recording.next(2, within: .seconds(60)) == [0, 1])
    recording.request(.max(3))
    #expect(try await recording.next(3, within: .seconds(60)) == [2, 3, 4])
    #expect(cursor.batches == [2, 3])
    #expect(!cursor.isClosed)
    recording.cancel()
    #expect(cursor.isClosed)
  }

  @Test func `All rows come in their order, a hundred at a time, and then the end or the failure`() async throws {
    let cursor = Cursor(count: 250)
    var rows: [Int] = []
    for try await row in Publishers.rows(of: { cursor }).buffer(
      size: 1_000, prefetch: .byRequest, whenFull: .dropNewest
    )
    .values {
      rows.append(row)
    }
    #expect(rows == Array(0..<250))
    #expect(cursor.batches == [100, 100, 100, 100])
    #expect(!cursor.isClosed)
    await #expect(throws: Cursor.Failure.lost) {
      for try await _ in Publishers.rows(of: { Cursor(count: 3, isLost: true) }).values {}
    }
  }

  @Test func `One alternative after the other is tried`() {
    struct Down: Error {}
    let down = Fail<Int, Down>(error: Down()).eraseToAnyPublisher()
    let up = Just(7).setFailureType(to: Down.self).eraseToAnyPublisher()
    #expect(collected(down.fallback(to: [down, up, down]).replaceError(with: 0)) == [7])
    #expect(collected(down.fallback(to: [down]).replaceError(with: 0)) == [0])
  }

  @Test func `A countdown is made on request`() {
    #expect(collected(Publishers.countdown(from: 2)) == [2, 1, 0])
    #expect(collected(Publishers.countdown(from: 9).prefix(2)) == [9, 8])
  }

  private func collected<P: Publisher>(_ publisher: P) -> [P.Output] where P.Failure == Never {
    var values: [P.Output] = []
    let cancellable = publisher.sink { values.append($0) }
    cancellable.cancel()
    return values
  }
}
