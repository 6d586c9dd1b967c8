// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The work for deliveries, one or a batch, from its beginning until they are settled.
@usableFromInline
internal final class WorkCourse<Deliveries: Collection & Sendable>: KeptWork where Deliveries.Element: Delivery {
  /// Why a delivery is not in order.
  private enum Trouble {
    /// It has not been extended, for another reason than that it is lost; and when it had been before.
    case refused(last: Duration)
    /// It has not been extended before its deadline, and is not extended any more.
    case overdue
    /// Somebody else has it, or it is settled.
    case lost
  }

  private struct State {
    /// The number that the keeper has given to the work; `nil` while it is not kept.
    var number: Int?
    /// Whether the work is over, which settles the deliveries.
    var isOver = false
    /// When the deliveries were received, or extended.
    var last = Duration.zero
    /// By the place in the collection.
    var troubles: [Int: Trouble] = [:]
    /// Stops the work.
    var stop: (@Sendable () -> Void)?

    func mayExtend(_ place: Int) -> Bool {
      if isOver { return false }
      return switch troubles[place] {
      case nil, .refused?: true
      case .overdue?, .lost?: false
      }
    }
  }

  private let deliveries: Deliveries
  private let settling: Settling<Deliveries.Element>
  private let keeper: DeadlineKeeper
  private let state = Guarded(State())

  @usableFromInline
  internal init(_ deliveries: Deliveries, _ settling: Settling<Deliveries.Element>, _ keeper: DeadlineKeeper) {
    (self.deliveries, self.settling, self.keeper) = (deliveries, settling, keeper)
  }

  /// Does the work, and settles the deliveries.
  ///
  /// - Parameters:
  ///   - disposition: What becomes of them if the work throws.
  ///   - work: The work.
  /// - Returns: What the work returns, if all acknowledgements have been accepted.
  @usableFromInline
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
      // It is done, also if nobody wants to hear of it any more.
      if await settle(.ack) { return value }
      noteDiscard(value, .late, by: nil)
    } catch {
      end()
      // What has failed in another way than by the cancel is up to the closure, cancelled or not.
      let isCut = error is CancellationError && Task.isCancelled
      if !isLost { await settle(isCut ? .nak() : disposition(error)) }
    }
    return nil
  }

  // MARK: Extending

  /// The work begins: the deadlines are extended from now on.
  internal func begin() {
    guard let interval = settling.interval(for: deliveries) else { return }
    let now = keeper.now
    state.withLock { $0.last = now }
    let number = keeper.keep(self, every: interval)
    state.withLock { $0.number = number }
  }

  /// The work is over, and the deadlines are extended no more.
  internal func end() {
    let (number, stop) = state.withLock { state in
      state.isOver = true
      return (state.number.take(), state.stop.take())
    }
    if let number { keeper.forget(number) }
    withExtendedLifetime(stop) {}
  }

  /// Sets what stops the work when all of its deliveries are lost.
  @usableFromInline
  internal func onLoss(_ stop: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !isLost(state) { state.stop = stop }
      return isLost(state)
    }
    if isLate { stop() }
  }

  private func isLost(_ state: State) -> Bool {
    !deliveries.isEmpty && state.troubles.count == deliveries.count
      && state.troubles.values.allSatisfy { trouble in if case .lost = trouble { true } else { false } }
  }

  /// Whether others have all of the deliveries, or they have been settled.
  internal var isLost: Bool { state.withLock { isLost($0) } }

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

  /// Notes that a delivery has not been extended; one that is lost is extended no more, and neither is one whose deadline has
  /// passed meanwhile: it belongs to somebody else by then.
  private func note(_ error: DeliveryError, _ place: Int, _ delivery: Deliveries.Element) {
    let now = keeper.now
    let (counts, stop) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      // An extension that was on its way when the work ended, and what has settled it.
      if state.isOver { return (false, nil) }
      var last = state.last
      if case .refused(let date)? = state.troubles[place] { last = date }
      let isLost = error.reason == .expired || error.reason == .settled
      let isOverdue = delivery.deadline.map { now - last >= $0 } ?? false
      state.troubles[place] = isLost ? .lost : isOverdue ? .overdue : .refused(last: last)
      return (true, self.isLost(state) ? state.stop.take() : nil)
    }
    if counts { settling.onRefusal(error, delivery) }
    stop?()
  }

  // MARK: Settling

  /// Settles the deliveries, except for those that are lost.
  ///
  /// - Returns: Whether all of it has been accepted.
  @discardableResult
  internal func settle(_ disposition: DeliveryDisposition?) async -> Bool {
    await uncancelled { [self] in
      let troubles = state.withLock { $0.troubles }
      var isAccepted = true
      for (place, delivery) in deliveries.enumerated() {
        if case .lost? = troubles[place] {
          isAccepted = false
          continue
        }
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
