// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// One iterator of an asynchronous sequence, used by two tasks.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = (0..<1_000).publisher.sendable.map { $0 + 1 }
    #if FIXED
      let values = numbers.values
      let first = Task { for await number in values { _ = number } }
      let second = Task { for await number in values { _ = number } }
    #else
      var iterator = numbers.values.makeAsyncIterator()
      let first = Task { while await iterator.next() != nil {} }
      let second = Task { while await iterator.next() != nil {} }
    #endif
    await first.value
    await second.value
  }
}
