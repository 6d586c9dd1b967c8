// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockDispatch

enum ComingFromOpenCombineDispatch {
  // The imports | `import OpenCombineDispatch`
  static func dispatch() async {
    var values: [Int] = []
    for await value in Just(1).receive(on: DispatchQueue.main).values { values.append(value) }
    expect(values, [1])
  }
}
