// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Values that aren't Sendable, delivered on a queue while the sender continues to change them.

import PenstockConcurrency
import PenstockDispatch

enum Program {
  static func run() async {
    #if FIXED
      let counts = PassthroughSubject<Int, Never>()
      let total = Total()
      let cancellable = counts.sendable.receive(on: queue).sink { total.add($0) }
      let model = Model()
      here {
        counts.send(model.count)
        model.count += 1
      }
    #else
      let models = PassthroughSubject<Model, Never>()
      let cancellable = models.sendable.receive(on: queue).sink { $0.count += 1 }
      let model = Model()
      here {
        models.send(model)
        model.count += 1
      }
    #endif
    settle(queue)
    cancellable.cancel()
  }
}
