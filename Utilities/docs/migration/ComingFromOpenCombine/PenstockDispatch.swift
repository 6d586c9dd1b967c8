// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockDispatch

enum ComingFromOpenCombineDispatch {
  // The imports | `import OpenCombineDispatch`
  static func dispatch() {
    let queue = DispatchQueue(label: "penstock")
    let received = Just(1).receive(on: queue).received()
    queue.sync {}
    expect(received.log, ["1", "finished"])
  }
}
