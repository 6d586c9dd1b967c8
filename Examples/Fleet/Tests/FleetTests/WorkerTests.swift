// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import PenstockConcurrency
import ServiceLifecycle
import Synchronization
import Testing

/// The lines of a worker.
private final class Reports: Sendable {
  private let lines = Mutex<[Report]>([])

  func add(_ report: Report) { lines.withLock { $0.append(report) } }

  var done: [Int] {
    lines.withLock { $0.compactMap { if case .done(let number, _) = $0 { number } else { nil } } }
  }

  var counts: WorkerCounts? {
    lines.withLock { $0.reversed().lazy.compactMap { if case .counts(let counts) = $0 { counts } else { nil } }.first }
  }
}

@Suite struct WorkerTests {
  @Test func `A worker that is told to stop finishes what it has begun, and leaves the rest to others`() async throws {
    let book = MemoryOrderBook()
    try await book.publish((1...200).map(Order.init(number:)))
    let first = Reports()
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(
            service: book.worker(name: "w1", maxTasks: 4, report: first.add),
            successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        logger: .init(label: "test")))
    let running = Task { try await group.run() }
    while first.done.count < 20 { await Task.yield() }
    await group.triggerGracefulShutdown()
    try await running.value
    // Everything it had is settled; the last counts say so.
    #expect(book.backlog().unsettled == 0)
    #expect(first.counts?.inFlight == 0)
    #expect(book.backlog().waiting == 200 - first.done.count)

    let second = Reports()
    let other = Task { try await book.worker(name: "w2", report: second.add).run() }
    while !book.backlog().isEmpty { await Task.yield() }
    other.cancel()
    _ = await other.result
    #expect((first.done + second.done).sorted() == Array(1...200))
  }

  @Test func `What is no order is not worked on, and does not come again`() async throws {
    let book = MemoryOrderBook()
    try await book.publish(payloads: [Array("letter".utf8), Order(number: 1).payload])
    let reports = Reports()
    let worker = Task { try await book.worker(name: "w1", report: reports.add).run() }
    while !book.backlog().isEmpty { await Task.yield() }
    worker.cancel()
    _ = await worker.result
    #expect(reports.done == [1])
  }

  @Test func `No more are taken than are worked on`() async throws {
    let book = MemoryOrderBook()
    try await book.publish((1...100).map(Order.init(number:)))
    let most = Mutex(0)
    let worker = Task {
      try await book.worker(name: "w1", maxTasks: 3) { report in
        if case .done = report { most.withLock { $0 = max($0, book.backlog().unsettled) } }
      }.run()
    }
    while !book.backlog().isEmpty { await Task.yield() }
    worker.cancel()
    _ = await worker.result
    #expect(most.withLock { $0 } <= 3)
  }
}
