// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import Penstock

enum ComingFromCombinePenstock {
  // Which product, which import | is for a server, a tool or a library without an Apple app
  static func penstock() {
    let queue = DispatchQueue(label: "penstock")
    let received = Just(Data("7".utf8)).decode(type: Int.self, decoder: JSONDecoder()).receive(on: queue).received()
    queue.sync {}
    expect(received.log, ["7", "finished"])
  }
}
