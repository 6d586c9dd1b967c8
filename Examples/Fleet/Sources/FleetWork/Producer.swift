// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ServiceLifecycle

/// Publishes orders at a steady rate, until it is told to stop.
public struct Producer<Book: OrderBook>: Service {
  private let book: Book
  private let rate: Int
  private let limit: Int
  private let report: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - book: Where the orders are kept.
  ///   - rate: How many orders a second.
  ///   - limit: How many orders in all.
  ///   - report: A closure that gets the numbers of those that are confirmed.
  public init(_ book: Book, rate: Int, limit: Int, report: @escaping @Sendable (Report) -> Void) {
    (self.book, self.rate, self.limit, self.report) = (book, rate, limit, report)
  }

  public func run() async throws {
    let step = Duration.milliseconds(50)
    let size = max(1, rate / 20)
    var next = 1
    var due = ContinuousClock.now
    while next <= limit, !Task.isShuttingDownGracefully {
      let numbers = next...min(next + size - 1, limit)
      do {
        try await book.publish(numbers.map { Order(number: $0) })
        report(.confirmed(numbers))
        next = numbers.upperBound + 1
      } catch is CancellationError {
        return
      } catch {
        // It is not known which of them are kept: all are published again, and some may be kept twice.
        report(.note("publishing orders \(numbers.lowerBound) to \(numbers.upperBound) again: \(error)"))
      }
      due = max(due + step, .now - step)
      try await Task.sleep(until: due)
    }
  }
}
