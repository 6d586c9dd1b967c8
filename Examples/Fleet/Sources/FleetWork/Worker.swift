// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
public import ServiceLifecycle

/// Works on orders until it is told to stop.
///
/// When it is told to stop, it fetches no more, finishes the work that has begun, and acknowledges it.
public struct Worker<Book: OrderBook>: Service {
  private let book: Book
  private let name: String
  private let maxTasks: Int
  private let work: Duration
  private let report: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - book: Where the orders are.
  ///   - name: The name of the worker.
  ///   - maxTasks: How many orders it works on at a time.
  ///   - work: How long it takes for one.
  ///   - report: A closure that gets what is done, before it is acknowledged.
  public init(
    _ book: Book, name: String, maxTasks: Int = 8, work: Duration = .milliseconds(2),
    report: @escaping @Sendable (Report) -> Void
  ) {
    (self.book, self.name, self.maxTasks, self.work, self.report) = (book, name, maxTasks, work, report)
  }

  public func run() async throws {
    let stop = PassthroughSubject<Void, Never>()
    let deliveries = book.deliveries(worker: name)
    let served = served(deliveries, until: stop)
    let counts = { @Sendable in WorkerCounts(deliveries.counts) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await withGracefulShutdownHandler {
          for try await _ in served.values {}
        } onGracefulShutdown: {
          stop.send()
        }
      }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(200))
          report(.counts(counts()))
        }
      }
      // The stream ends on its own; the reports would not.
      try await group.next()
      group.cancelAll()
    }
    report(.counts(counts()))
  }

  /// The pipeline, which is the same wherever the orders are.
  private func served(
    _ deliveries: Book.Deliveries, until stop: PassthroughSubject<Void, Never>
  ) -> SendablePublisher<some Publisher<Int, Book.Deliveries.Failure>> {
    deliveries.sendable
      .prefix(untilOutputFrom: stop.sendable)
      .deadLetter(after: 20) { [report] delivery in
        report(
          .note("set aside after \(delivery.attempt) attempts: \(String(decoding: delivery.payload, as: UTF8.self))"))
      }
      .acknowledged(
        maxTasks: .max(maxTasks),
        onFailure: { error, _ in error is NoOrder ? .terminate : .nak(after: .milliseconds(100)) }
      ) { [work, report] delivery in
        let order = try Order(payload: delivery.payload)
        try await Task.sleep(for: work)
        report(.done(order.number, attempt: delivery.attempt))
        return order.number
      }
  }
}
