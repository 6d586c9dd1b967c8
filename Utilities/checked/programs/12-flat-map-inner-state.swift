// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An inner stream of `flatMap` that writes to an object which its owner changes as well.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let total = Total()
      let cancellable = numbers.sendable.flatMap { number in
        Just(number).sendable.handleEvents(receiveOutput: { total.add($0) })
      }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { total.add(1) }
    #else
      let model = Model()
      let cancellable = numbers.sendable.flatMap { number in
        Just(number).sendable.handleEvents(receiveOutput: { model.count += $0 })
      }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { model.count += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
