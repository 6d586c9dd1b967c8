// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The work for one delivery or a batch, from its beginning until everything is settled.
///
/// The code for each delivery is inlined where the types are known.
@usableFromInline
internal final class WorkCourse<Deliveries: Collection & Sendable>: KeptWork where Deliveries.Element: Delivery {
  @usableFromInline internal let deliveries: Deliveries
  @usableFromInline internal let settling: Settling<Deliveries.Element>
  @usableFromInline internal let keeper: DeadlineKeeper
  @usableFromInline internal let state = Guarded(WorkState())

  @inlinable
  internal init(_ deliveries: Deliveries, _ settling: Settling<Deliveries.Element>, _ keeper: DeadlineKeeper) {
    (self.deliveries, self.settling, self.keeper) = (deliveries, settling, keeper)
  }

  /// Does the work, and settles the deliveries.
  ///
  /// - Parameters:
  ///   - disposition: What happens to them if the work throws.
  ///   - work: The work.
  /// - Returns: What the work returns, if all acknowledgements have been accepted.
  @inlinable
  internal func run<T: Sendable>(
    _ disposition: @Sendable (any Error) -> DeliveryDisposition, _ work: @Sendable () async throws -> T
  ) async -> T? {
    if Task.isCancelled {
      await settle(nil)
      return nil
    }
    begin()
    do {
      let value = try await work()
      end()
      // The work is done, even if nobody waits for the result any more.
      if await settle(.ack) { return value }
      noteDiscard(value, .late, by: nil)
    } catch {
      end()
      // If the work has failed in another way than by the cancel, the closure decides, cancelled or not.
      let isCut = error is CancellationError && Task.isCancelled
      if !state.areLost(deliveries.count) { await settle(isCut ? .nak() : disposition(error)) }
    }
    return nil
  }

  // MARK: Extending

  /// Begins the work: the deadlines are extended from now on.
  @inlinable
  internal func begin() {
    if let interval = settling.interval(for: deliveries) { state.begin(self, by: keeper, every: interval) }
  }

  /// Ends the work: the deadlines are not extended any more.
  @inlinable
  internal func end() { state.end(by: keeper) }

  /// Sets what stops the work when all of its deliveries are lost.
  @inlinable
  internal func onLoss(_ stop: @escaping @Sendable () -> Void) { state.onLoss(of: deliveries.count, stop) }

  @usableFromInline
  internal func extend() async -> Bool {
    let date = keeper.now
    for (place, delivery) in deliveries.enumerated() where state.withLock({ $0.mayExtend(place) }) {
      do throws(DeliveryError) {
        try await delivery.extend()
        state.withLock { if case .refused? = $0.troubles[place] { $0.troubles[place] = nil } }
      } catch {
        note(error, place, delivery)
      }
    }
    return state.withLock { state in
      state.last = date
      return deliveries.indices.enumerated().contains { state.mayExtend($0.offset) }
    }
  }

  /// Records that a delivery has not been extended; a lost delivery is not extended any more, and neither is one whose
  /// deadline has passed meanwhile, since another consumer may have it by then.
  private func note(_ error: DeliveryError, _ place: Int, _ delivery: Deliveries.Element) {
    let now = keeper.now
    let (counts, stop) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      // An extension that was under way when the work ended and settled the delivery.
      if state.isOver { return (false, nil) }
      var last = state.last
      if case .refused(let date)? = state.troubles[place] { last = date }
      let isLost = error.reason == .expired || error.reason == .settled
      let isOverdue = delivery.deadline.map { now - last >= $0 } ?? false
      state.troubles[place] = isLost ? .lost : isOverdue ? .overdue : .refused(last: last)
      return (true, state.areLost(deliveries.count) ? state.stop.take() : nil)
    }
    if counts { settling.onRefusal(error, delivery) }
    stop?()
  }

  // MARK: Settling

  /// Settles the deliveries, except for those that are lost.
  ///
  /// - Returns: Whether everything has been accepted.
  @discardableResult
  @inlinable
  internal func settle(_ disposition: DeliveryDisposition?) async -> Bool {
    await uncancelled { [self] in
      let lost = state.lostPlaces()
      var isAccepted = lost.isEmpty
      for (place, delivery) in deliveries.enumerated() where !lost.contains(place) {
        do throws(DeliveryError) {
          try await delivery.settle(disposition)
        } catch {
          isAccepted = false
          settling.onRefusal(error, delivery)
        }
      }
      return isAccepted
    }
  }
}
