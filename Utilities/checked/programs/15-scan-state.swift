// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An object as the state of a `scan`, which its owner changes as well.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let cancellable = numbers.sendable.scan(0) { $0 + $1 }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
    #else
      let state = Model()
      let cancellable = numbers.sendable.scan(state) { state, number in
        state.count += number
        return state
      }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { state.count += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
