// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An object of a class that isn't Sendable, changed by the sink and by its owner.

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
      let model = Model()
      let cancellable = numbers.sendable.sink { model.count += $0 }
      let other = Elsewhere { numbers.send(1) }
      here { model.count += 1 }
      other.wait()
      print(model.count)
    #endif
    cancellable.cancel()
  }
}
