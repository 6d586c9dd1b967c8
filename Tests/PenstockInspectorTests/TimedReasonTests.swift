// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockInspector
import Synchronization
import Testing

/// A scheduler whose clock continues, and which never runs what is scheduled for a date.
final class StoppedScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  private let start = SchedulerTimeType(.now())
  private let state = Mutex<(elapsed: SchedulerTimeType.Stride, actions: [@Sendable () -> Void])>((.zero, []))

  var now: SchedulerTimeType { start.advanced(by: state.withLock { $0.elapsed }) }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    state.withLock { $0.actions.append { action() } }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {}

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }

  func advance(by time: SchedulerTimeType.Stride) { state.withLock { $0.elapsed += time } }

  /// Runs what is scheduled for no date.
  func runAll() {
    while let action = state.withLock({ $0.actions.isEmpty ? nil : $0.actions.removeFirst() }) { action() }
  }
}

/// Operators that keep values until a date: at work before it, and held up by their scheduler after it.
@Suite struct TimedReasonTests {
  typealias Timed = (
    name: String, make: @Sendable (PassthroughSubject<Int, Never>, StoppedScheduler) -> AnyPublisher<Int, Never>
  )

  static let all: [Timed] = [
    ("Debounce", { $0.debounce(for: .seconds(5), scheduler: $1).eraseToAnyPublisher() }),
    ("Throttle", { $0.throttle(for: .seconds(5), scheduler: $1, latest: true).eraseToAnyPublisher() }),
    (
      "CollectByTime",
      { $0.collect(.byTime($1, .seconds(5))).map(\.count).eraseToAnyPublisher() }
    ),
  ]

  @Test(arguments: all.indices)
  func `What is kept for a date is at work until then, and waits for a scheduler that does not run afterwards`(
    _ index: Int
  ) async {
    let (name, make) = Self.all[index]
    let label = "timed \(name)"
    let scheduler = StoppedScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = make(subject, scheduler).inspected(label).sink { _ in }
    subject.send(1)
    // Throttle delivers the first value at once, where its scheduler runs it.
    scheduler.runAll()
    subject.send(2)
    let early = await Inspector.snapshot(watching: .milliseconds(10))[label]!
    #expect(early.culprit == nil)
    #expect(early[name]?.waiting ?? 0 > 0, "\(early)")
    #expect(early.why.hasPrefix("\(name) keeps") && early.why.contains("due in 5 s"), "\(early.why)")
    scheduler.advance(by: .seconds(6))
    let late = await Inspector.snapshot(watching: .milliseconds(10))[label]!
    #expect(late.culprit?.reason == .schedulerDoesNotRun, "\(late)")
    #expect(late.culprit?.name == name)
    withExtendedLifetime(cancellable) {}
  }
}
