// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine

enum ComingFromCombineProduct {
  // Which product, which import | is shared with an app on Apple's systems
  static func combine() {
    final class Model: ObservableObject { @Published var count = 0 }
    let model = Model()
    let counts = model.$count.received()
    model.count = 1
    expect(counts.log, ["0", "1"])
  }
}
