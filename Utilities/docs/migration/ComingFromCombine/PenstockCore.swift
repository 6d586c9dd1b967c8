// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

enum ComingFromCombineCore {
  // Which product, which import | needs neither Foundation nor Dispatch
  static func core() {
    let subject = PassthroughSubject<Int, Never>()
    let received = subject.map { $0 * 2 }.receive(on: ImmediateScheduler.shared).received()
    subject.send(1)
    expect(received.log, ["2"])
  }
}
