// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Settles deliveries by what becomes of the work for them.
@usableFromInline
internal struct Settling: Sendable {
  /// How long after each extension the next one follows; `nil` for half of the shortest deadline.
  private let interval: Duration?
  private let clock: any Clock<Duration>

  @usableFromInline
  internal init(interval: Duration?, clock: any Clock<Duration>) {
    if let interval, interval <= .zero {
      trap(.unfitArgument(of: "acknowledged(extendingEvery:)", rule: "an interval above zero", given: "\(interval)"))
    }
    self.interval = interval
    self.clock = clock
  }

  /// Does work for deliveries, and settles all of them.
  ///
  /// - Parameters:
  ///   - deliveries: The deliveries, one or a batch.
  ///   - disposition: What becomes of them if the work throws.
  ///   - work: The work.
  /// - Returns: What the work returns, if all acknowledgements have been accepted.
  @usableFromInline
  internal func settle<Deliveries: Collection & Sendable, T: Sendable>(
    _ deliveries: Deliveries, _ disposition: @Sendable (any Error) -> DeliveryDisposition,
    _ work: @escaping @Sendable () async throws -> T
  ) async -> T? where Deliveries.Element: Delivery {
    do {
      let value = try await extending(deliveries, work)
      // It is done, also if nobody wants to hear of it any more.
      return await Self.apply(.ack, to: deliveries) ? value : nil
    } catch {
      await Self.apply(Task.isCancelled ? .nak() : disposition(error), to: deliveries)
      return nil
    }
  }

  /// Settles deliveries, in a task that no cancel reaches.
  ///
  /// - Returns: Whether all of it has been accepted.
  @discardableResult
  internal static func apply<Deliveries: Collection & Sendable>(
    _ disposition: DeliveryDisposition, to deliveries: Deliveries
  ) async -> Bool where Deliveries.Element: Delivery {
    await Task {
      var isAccepted = true
      for delivery in deliveries {
        do throws(DeliveryError) {
          switch disposition {
          case .ack: try await delivery.ack()
          case .nak(let delay): try await delivery.nak(after: delay)
          case .terminate: try await delivery.terminate()
          }
        } catch {
          isAccepted = false
        }
      }
      return isAccepted
    }.value
  }

  /// Does work, and extends the deadlines as long as it runs.
  private func extending<Deliveries: Collection & Sendable, T: Sendable>(
    _ deliveries: Deliveries, _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T where Deliveries.Element: Delivery {
    guard let interval = interval(for: deliveries) else { return try await work() }
    return try await withThrowingTaskGroup(of: T?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        await extend(deliveries, every: interval)
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
  }

  internal func interval<Deliveries: Collection>(for deliveries: Deliveries) -> Duration?
  where Deliveries.Element: Delivery {
    interval ?? deliveries.lazy.compactMap(\.deadline).min().map { $0 / 2 }
  }

  /// Extends deadlines until the task is cancelled, or one of them has passed.
  internal func extend<Deliveries: Collection & Sendable>(_ deliveries: Deliveries, every interval: Duration) async
  where Deliveries.Element: Delivery {
    while (try? await clock.sleep(for: interval.countable)) != nil {
      for delivery in deliveries { try? await delivery.extend() }
    }
  }
}
