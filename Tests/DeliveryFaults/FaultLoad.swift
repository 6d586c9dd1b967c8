// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
public import PenstockCore
import PenstockDeliveryTesting
import TestSupport

/// A flow of numbered values through an engine while a part of it is taken down, with a record of what happens to each
/// value.
///
/// The requirements are the same for every engine: no value is missing whose publication the server has confirmed, and
/// values that have not been acknowledged come again. Values that come more often than they have to are no mistake, but
/// are counted.
public final class FaultLoad: Sendable {
  private struct State {
    var last = 0
    var confirmed: Set<Int> = []
    var deliveries: [Int: Int] = [:]
    var acknowledged: Set<Int> = []
    /// Values that were at first taken without being acknowledged, and have not come again.
    var forgotten: Set<Int> = []
    var forgottenCount = 0
    var doneAgain = 0
    var failures = 0
    var lastNew = ContinuousClock.now
    var silence = Duration.zero
    var isOver = false
  }

  /// The number of values that are published at the same time.
  public static let publishers = 4
  private let state = Locked(State())
  private let tasks = Locked<(publishing: Task<Void, Never>?, working: [Task<Void, Never>])>((nil, []))

  public init() {}

  /// The number of values that have been confirmed.
  public var confirmed: Int { state.change { $0.confirmed.count } }
  /// The number of different values that have been delivered.
  public var delivered: Int { state.change { $0.deliveries.count } }
  /// The number of calls that have failed: of publishing, of acknowledging, and of streams that had to be subscribed to
  /// again.
  public var failures: Int { state.change { $0.failures } }

  // MARK: What flows

  /// Publishes number after number, each until it is confirmed.
  public func publish(_ send: @escaping @Sendable (Int) async throws -> Void) {
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.publishers {
          group.addTask { while let number = await self.next() { await self.publish(number, send) } }
        }
      }
    }
    tasks.change { $0.publishing = task }
  }

  private func publish(_ number: Int, _ send: @Sendable (Int) async throws -> Void) async {
    while true {
      do {
        try await send(number)
        return state.change { _ = $0.confirmed.insert(number) }
      } catch {
        state.change { $0.failures += 1 }
        await pause()
      }
    }
  }

  /// Returns the next number, not many per second, and none while many wait to be delivered, so that rounds end.
  private func next() async -> Int? {
    while true {
      await pause()
      let (number, isOver) = state.change { state -> (Int?, Bool) in
        if state.isOver { return (nil, true) }
        if state.last - state.deliveries.count > 500 { return (nil, false) }
        state.last += 1
        return (state.last, false)
      }
      if number != nil || isOver { return number }
    }
  }

  /// Processes the deliveries with a number of subscribers, and acknowledges them, except some that come for the first
  /// time.
  ///
  /// A stream that fails is subscribed to again.
  public func work<Deliveries: Publisher & Sendable>(
    _ count: Int = 2, on makeDeliveries: @escaping @Sendable (_ worker: Int) -> Deliveries
  ) where Deliveries.Output: Delivery<[UInt8]> {
    let working = (1...count).map { worker in
      Task {
        while !Task.isCancelled {
          do {
            for try await delivery in makeDeliveries(worker).values { await take(delivery) }
          } catch {
            state.change { $0.failures += 1 }
          }
          await pause()
        }
      }
    }
    tasks.change { $0.working += working }
  }

  private func take(_ delivery: some Delivery<[UInt8]>) async {
    guard let number = Int(String(decoding: delivery.payload, as: UTF8.self)) else { return }
    let isForgotten = state.change { state in
      let count = state.deliveries[number, default: 0]
      state.deliveries[number] = count + 1
      if state.acknowledged.contains(number) { state.doneAgain += 1 }
      if count > 0 {
        state.forgotten.remove(number)
        return false
      }
      state.silence = max(state.silence, .now - state.lastNew)
      state.lastNew = .now
      guard number.isMultiple(of: 50) else { return false }
      state.forgotten.insert(number)
      state.forgottenCount += 1
      return true
    }
    if isForgotten { return }
    do {
      try await delivery.ack()
      state.change { _ = $0.acknowledged.insert(number) }
    } catch {
      state.change { $0.failures += 1 }
    }
  }

  private func pause() async { try? await ContinuousClock().sleep(for: .milliseconds(1)) }

  // MARK: What is done meanwhile

  /// Takes a part down for a while, and brings it back.
  ///
  /// - Parameters:
  ///   - length: The least time for which it is down: it also stays down until that has been noticed.
  ///   - heals: Whether everything continues while it is down, since other parts take over.
  ///   - begin: Takes it down.
  ///   - isNoticed: Whether the client has noticed it.
  ///   - end: Brings it back.
  public func round(
    lasting length: Duration, heals: Bool = false, _ begin: () async throws -> Void,
    noticedBy isNoticed: () async throws -> Bool, _ end: () async throws -> Void
  ) async throws -> FaultFigures.Round {
    try await flows(500)
    state.change { ($0.silence, $0.lastNew) = (.zero, .now) }
    let start = ContinuousClock.now
    try await begin()
    let before = delivered
    var noticed: Duration?
    try await eventually("somebody notices it") {
      if try await isNoticed() { noticed = .now - start }
      // Other clients may be faster than the one that looks.
      return noticed != nil || (heals && delivered > before + 200)
    }
    if heals { try await flows(200) }
    // This is the length of the fault, not a wait for its effects.
    try await ContinuousClock().sleep(until: start + length)
    let stop = ContinuousClock.now
    let least = delivered
    try await end()
    try await eventually("something new comes after its end") { delivered > least }
    let recovered = ContinuousClock.now - stop
    try await flows(500)
    return .init(noticed: noticed, recovered: heals ? nil : recovered, silence: state.value.silence)
  }

  /// Waits until that many more values have come.
  public func flows(_ count: Int) async throws {
    let wanted = delivered + count
    try await eventually("\(count) more values come; \(description)") { delivered >= wanted }
  }

  /// Stops publishing, and waits until everything has come, and has come again if it had to; fails otherwise.
  ///
  /// - Parameter isEmpty: Whether the server has nothing left to deliver, by its own count.
  public func finish(_ isEmpty: () async throws -> Bool) async throws -> FaultFigures.Sums {
    state.change { $0.isOver = true }
    await tasks.value.publishing?.value
    do {
      try await eventually("everything confirmed is there, and what was not acknowledged has come again") {
        state.change { state in
          state.forgotten.isEmpty && state.confirmed.allSatisfy { state.deliveries[$0] != nil }
        }
      }
      try await eventually("the server has nothing left") { try await isEmpty() }
    } catch let rule as BrokenRule {
      throw BrokenRule("\(rule); \(description)")
    }
    stop()
    let last = state.value
    return .init(
      confirmed: last.confirmed.count, forgotten: last.forgottenCount,
      again: last.deliveries.values.reduce(0) { $0 + $1 - 1 } - last.forgottenCount, doneAgain: last.doneAgain)
  }

  /// Ends all work, in whatever state it is.
  public func stop() {
    state.change { $0.isOver = true }
    for task in tasks.value.working { task.cancel() }
  }

  private var description: String {
    let state = self.state.value
    let missing = state.confirmed.filter { state.deliveries[$0] == nil }.sorted()
    return """
      \(state.confirmed.count) confirmed, \(state.deliveries.count) delivered, \(missing.count) missing \
      \(missing.prefix(10)), \(state.forgotten.count) not acknowledged that have not come again, \(state.failures) failures
      """
  }
}
