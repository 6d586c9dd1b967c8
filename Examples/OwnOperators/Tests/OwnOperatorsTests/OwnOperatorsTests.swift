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
