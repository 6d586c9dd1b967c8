// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockDispatch
import PenstockTesting
import TestSupport
import Testing

/// The mistakes of schedulers in real time, and what the report says about each.
private enum QueueFault: String, CaseIterable, Sendable {
  case comesEarly, roundsDates, overlaps, swapsDates, forgetsPast, losesNested, ticksOn

  var finding: String {
    switch self {
    case .comesEarly, .roundsDates: "ran before its date"
    // During another one or, if the machine is busy, before it.
    case .overlaps: " ran "
    case .swapsDates: #"ran ["late", "early"]"#
    case .forgetsPast: "0 of 1 have run"
    case .losesNested: "1 of 3 have run"
    case .ticksOn: #"ran ["tick""#
    }
  }
}

/// A queue as a scheduler, with or without a mistake.
private struct ZooQueue: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = Never

  private let queue: DispatchQueue
  private let fault: QueueFault?
  private let key = DispatchSpecificKey<Bool>()

  init(_ fault: QueueFault?) {
    self.fault = fault
    queue = DispatchQueue(label: "zoo")
    queue.setSpecific(key: key, value: true)
  }

  var now: SchedulerTimeType { queue.now }
  var minimumTolerance: SchedulerTimeType.Stride { queue.minimumTolerance }

  private var isInside: Bool { DispatchQueue.getSpecific(key: key) == true }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    if fault == .losesNested, isInside { return }
    if fault == .overlaps { return startThread(action) }
    queue.schedule(action)
  }

  private func startThread(_ action: @escaping () -> Void) {
    let action = UncheckedBox(action)
    Thread { action.value() }.start()
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    var date = date
    let isOver = date < now
    if fault == .comesEarly, !isOver { date = now }
    if fault == .roundsDates, !isOver {
      let unit: UInt64 = 10_000_000
      date = SchedulerTimeType(DispatchTime(uptimeNanoseconds: date.dispatchTime.uptimeNanoseconds / unit * unit))
    }
    // A later action runs sooner.
    if fault == .swapsDates, !isOver { date = now.advanced(by: .seconds(1)).advanced(by: date.distance(to: now)) }
    if fault == .forgetsPast, isOver { return }
    if fault == .losesNested, isInside { return }
    queue.schedule(after: date, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = queue.schedule(after: date, interval: interval, action)
    guard fault == .ticksOn else { return timer }
    // Holds the timer, and lets it run.
    return AnyCancellable { queue.schedule(after: now.advanced(by: .seconds(1))) { timer.cancel() } }
  }
}

@Suite struct RealTimeZooTests {
  @Test(arguments: QueueFault.allCases)
  private func `Each fault of a scheduler in real time is found`(_ fault: QueueFault) async {
    let verification = SchedulerVerification(inRealTime: fault.rawValue, ordersEqualDates: false) { ZooQueue(fault) }
    var report = await verification.report()
    // As many attempts as needed. On a busy machine two threads run one after the other, and do not overlap; and a date
    // may be over before it is passed, so that a queue that drops past dates is found at another place.
    func isFound() -> Bool { report.broken.first?.outcome.reason.contains(fault.finding) == true }
    for _ in 0..<20 where !isFound() { report = await verification.report() }
    #expect(report.leading.map(\.rule.id) == ["T-06"], "\(report)")
    #expect(isFound(), "\(report)")
  }

  @Test func `A queue without a fault keeps the rule`() async {
    let report = await SchedulerVerification(inRealTime: "queue", ordersEqualDates: false) { ZooQueue(nil) }.report()
    #expect(report.broken.isEmpty, "\(report)")
  }

  @Test func `One that promises an order of equal dates has to keep it`() {
    // As many attempts as needed: Dispatch may keep an order by chance.
    let findings = (0..<20).lazy.map { _ in
      SchedulerVerification(inRealTime: "queue") { ZooQueue(nil) }.report().broken.first?.outcome.reason
    }
    #expect(findings.contains { $0?.contains("12 actions of one date: ran") == true })
  }
}
