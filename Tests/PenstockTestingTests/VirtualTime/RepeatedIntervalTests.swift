// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

/// Schedulers of virtual time with an interval that none can keep, which is 0.0001 s then, as for a timer.
@Suite struct RepeatedIntervalTests {
  enum Kind: CaseIterable { case virtual, labeled, recording }

  @Test(arguments: Kind.allCases, [0, -1, -1e300, .nan])
  func `Ten ticks come in a thousandth of a second`(_ kind: Kind, _ seconds: Double) {
    let time = VirtualTimeScheduler()
    var dates: [VirtualTime] = []
    func start<S: Scheduler>(_ scheduler: S) -> any Cancellable where S.SchedulerTimeType == VirtualTime {
      scheduler.schedule(after: scheduler.now.advanced(by: .microseconds(100)), interval: .seconds(seconds)) {
        dates.append(time.now)
      }
    }
    let cancellable =
      switch kind {
      case .virtual: start(time)
      case .labeled: start(time.labeled("ticks"))
      case .recording: start(RecordingScheduler(time))
      }
    time.advance(by: .milliseconds(1))
    #expect(dates == (1...10).map { VirtualTime(nanoseconds: $0 * 100_000) })
    cancellable.cancel()
  }

  @Test(arguments: Kind.allCases)
  func `What has been missed is not made up for`(_ kind: Kind) {
    let time = VirtualTimeScheduler()
    var runs = 0
    func start<S: Scheduler>(_ scheduler: S) -> any Cancellable where S.SchedulerTimeType == VirtualTime {
      scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(.min)), interval: .milliseconds(1)) {
        runs += 1
      }
    }
    let cancellable =
      switch kind {
      case .virtual: start(time)
      case .labeled: start(time.labeled("ticks"))
      case .recording: start(RecordingScheduler(time))
      }
    time.advance()
    #expect(runs == 1)
    time.advance(by: .milliseconds(3))
    #expect(runs == 4)
    cancellable.cancel()
  }
}
