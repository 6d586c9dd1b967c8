// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A variable that the sink changes on one thread, and its owner on another.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let total = Total()
      let cancellable = numbers.sendable.sink { total.add($0) }
      let other = Elsewhere { numbers.send(1) }
      here { total.add(1) }
      other.wait()
      print(total.value)
    #else
      var total = 0
      let cancellable = numbers.sendable.sink { total += $0 }
      let other = Elsewhere { numbers.send(1) }
      here { total += 1 }
      other.wait()
      print(total)
    #endif
    cancellable.cancel()
  }
}
