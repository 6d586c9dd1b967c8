// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Values that aren't Sendable, shared by two subscribers on two threads.

import PenstockConcurrency
import PenstockDispatch

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let models = numbers.sendable.map { _ in Total() }.share()
      let first = models.receive(on: queue).sink { $0.add(1) }
      let second = models.sink { $0.add(1) }
    #else
      let models = numbers.sendable.map { _ in Model() }.share()
      let first = models.receive(on: queue).sink { $0.count += 1 }
      let second = models.sink { $0.count += 1 }
    #endif
    here { numbers.send(1) }
    settle(queue)
    first.cancel()
    second.cancel()
  }
}
