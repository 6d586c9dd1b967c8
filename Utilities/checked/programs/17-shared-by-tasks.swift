// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A pipeline that counts in a variable, used by two tasks.

import PenstockConcurrency

enum Program {
  static func run() async {
    let source = (0..<1_000).publisher
    #if FIXED
      let total = Total()
      let pipeline = source.sendable.handleEvents(receiveOutput: { total.add($0) })
    #else
      var total = 0
      let pipeline = source.sendable.handleEvents(receiveOutput: { total += $0 })
    #endif
    let first = Task { for await number in pipeline.values { _ = number } }
    let second = Task { for await number in pipeline.values { _ = number } }
    await first.value
    await second.value
  }
}
