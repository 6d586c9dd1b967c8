// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockOperators
import PenstockOperatorsFoundation
import PenstockTesting

/// Code that waits, on a scheduler that is passed to it.
public struct Reminders {
  private let scheduler: AnySchedulerOf<DispatchQueue>

  /// Makes reminders.
  ///
  /// - Parameter scheduler: The scheduler that waits and delivers.
  public init(scheduler: AnySchedulerOf<DispatchQueue> = .main) {
    self.scheduler = scheduler
  }

  /// Publishes a text after a time; at once, without the scheduler, if there is nothing to wait for.
  public func remind(
    of text: String, in time: DispatchQueue.SchedulerTimeType.Stride
  ) -> AnyPublisher<String, Never> {
    time > 0
      ? Just(text).delay(for: time, scheduler: scheduler).eraseToAnyPublisher()
      : Just(text).eraseToAnyPublisher()
  }
}

extension Scenario {
  static let reminders = Scenario(
    name: "schedulers", heading: "Schedulers: the same code on a queue, in virtual time, at once, and on none"
  ) { page, tempo in
    page.print("On a queue of Dispatch, where a tenth of a second takes one:")
    let start = DispatchTime.now()
    let reminder = Reminders(scheduler: .global()).remind(of: "Shut the gate", in: 0.1).receive(on: tempo)
    tempo.runToEnd(of: reminder) { text in
      page.print("  \(text), not before its time: \(DispatchTime.now() >= start + 0.1)")
    }

    page.print("In virtual time, where an hour takes none:")
    let clock = VirtualTimeScheduler<DispatchQueue.SchedulerTimeType, DispatchQueue.SchedulerOptions>(
      now: AnySchedulerOf<DispatchQueue>.immediate.now)
    let hourly = Reminders(scheduler: clock.eraseToAnyScheduler()).remind(of: "Grease the wheel", in: 3_600)
      .sink { page.print("  \($0)") }
    clock.advance(by: 3_599)
    page.print("  …")
    clock.advance(by: 1)
    hourly.cancel()

    page.print("At once, where time does not matter:")
    let instant = Reminders(scheduler: .immediate).remind(of: "Ring the bell", in: 60).sink { page.print("  \($0)") }
    page.print("  The bell has been rung")
    instant.cancel()

    page.print("On a scheduler that must not be used:")
    let reports = PassthroughSubject<String, Never>()
    let complaints = reports.removeAllDuplicates().sink { page.print("  \($0.prefix { $0 != "." })") }
    let forbidden = AnySchedulerOf<DispatchQueue>.unimplemented("of the test", now: clock.now) { reports.send($0) }
    for time in [0, 1] as [DispatchQueue.SchedulerTimeType.Stride] {
      let cancellable = Reminders(scheduler: forbidden).remind(of: "Now", in: time).sink { page.print("  \($0)") }
      cancellable.cancel()
    }
    complaints.cancel()
  }
}
