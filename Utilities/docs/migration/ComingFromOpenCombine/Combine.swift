// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine

enum ComingFromOpenCombineShim {
  // The imports | `import OpenCombineShim`
  static func shim() {
    expect(CurrentValueSubject<Int, Never>(1).received().log, ["1"])
  }
}
