// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let unwrap = Scenario(name: "unwrap", heading: "unwrap: an operator composed of another") { page, _ in
    let cancellable = [1, 2, nil, 3, nil, 4].publisher
      .unwrap()
      .sink { page.print("Received value: \($0)") }
    cancellable.cancel()
  }
}
