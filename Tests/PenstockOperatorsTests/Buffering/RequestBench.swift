// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport

/// An operator between a publisher driven by hand and a recorder, with a count of what upstream has been asked for.
struct RequestBench {
  let clock = VirtualTimeScheduler()
  let source = ManualPublisher<Int, TestError>()
  let recorder: Recorder<Int, TestError>
  /// What upstream has sent, and the demand that was returned for it.
  private let sent = Locked(0)
  private let returned = Locked(Subscribers.Demand.none)

  init<P: Publisher<Int, TestError>>(
    demand: Subscribers.Demand?,
    _ build: (ManualPublisher<Int, TestError>, VirtualTimeScheduler<VirtualTime, Never>) -> P
  ) {
    recorder = Recorder(demand: demand)
    build(source, clock).subscribe(recorder)
  }

  func send(_ values: Int...) {
    for value in values {
      sent.change { $0 += 1 }
      let more = source.send(value)
      returned.change { $0 += more }
    }
  }

  /// What upstream has been asked for.
  var granted: Subscribers.Demand { source.subscription!.requests.reduce(returned.value, +) }

  /// How many values upstream may still send.
  var outstanding: Int { granted.max! - sent.value }
}
