// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

enum ComingFromOpenCombine {
  // The imports | `import OpenCombine`
  static func core() {
    expect(Just(1).merge(with: Just(2)).received().log, ["1", "2", "finished"])
  }
}
