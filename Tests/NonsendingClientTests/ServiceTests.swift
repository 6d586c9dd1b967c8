// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import Testing

/// A service as on a server: no main actor, and async functions that run where they are called from.
@Suite struct ServiceTests {
  @Test func `An actor loops over plain values, and its helpers run on it`() async {
    let meter = Meter()
    await meter.add([1, 2, 3].publisher)
    #expect(await meter.total == 12)
  }

  @Test func `An actor receives from a plain pipeline by a sink of its own`() async {
    let meter = Meter()
    let amounts = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { continuation in
      let cancellable = amounts.map { $0 * 3 }.sink(on: meter) { meter, amount in
        meter.total += amount
        continuation.resume()
      }
      amounts.send(4)
      Task { await meter.keep(cancellable) }
    }
    #expect(await meter.total == 12)
  }

  @Test func `Async functions of a checked pipeline run on the operator's task`() async {
    let meter = Meter()
    let totals = [1, 2, 3].publisher.sendable
      .mapAsync { await doubled($0) }
      .mapAsync { await meter.add($0) }
    var seen: [Int] = []
    for await total in totals.values(buffering: .unbounded) { seen.append(total) }
    #expect(seen == [2, 6, 12])
  }

  @Test func `A sequence becomes a publisher, and a publisher a sequence`() async throws {
    let stream = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    var seen: [Int] = []
    for await number in stream.publisher.map({ $0 + 1 }).values { seen.append(number) }
    #expect(seen == [2, 3, 4])
    #expect(await Future { await doubled(4) }.value == 8)
  }
}

private actor Meter {
  var total = 0
  private var cancellable: AnyCancellable?

  func keep(_ cancellable: AnyCancellable) { self.cancellable = cancellable }

  @discardableResult
  func add(_ amount: Int) -> Int {
    total += amount
    return total
  }

  func add(_ amounts: some Publisher<Int, Never>) async {
    for await amount in amounts.values { add(await doubled(amount)) }
  }
}

private func doubled(_ number: Int) async -> Int { number * 2 }
