// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A second publisher that isn't checked, with a variable in it.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let total = Total()
      let sums = numbers.sendable.map { number in
        total.add(number)
        return total.value
      }
      let cancellable = numbers.sendable.combineLatest(sums).sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { total.add(1) }
    #else
      var total = 0
      let sums = numbers.map { number in
        total += number
        return total
      }
      let cancellable = numbers.sendable.combineLatest(sums).sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { total += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
