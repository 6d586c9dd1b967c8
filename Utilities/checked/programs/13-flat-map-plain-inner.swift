// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An inner stream of `flatMap` that isn't checked itself, made in another function.

import PenstockConcurrency

func history(of model: Model) -> Publishers.HandleEvents<Just<Int>> {
  Just(1).handleEvents(receiveOutput: { model.count += $0 })
}

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let total = Total()
      let cancellable = numbers.sendable.flatMap { _ in Just(1).sendable.map { $0 * 2 } }.sink { total.add($0) }
      let other = Elsewhere { numbers.send(1) }
      here { total.add(1) }
    #else
      let model = Model()
      let inner = history(of: model)
      let cancellable = numbers.sendable.flatMap { _ in inner }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { model.count += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
