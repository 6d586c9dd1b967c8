// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A variable that `handleEvents` counts in.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let count = Total()
      let cancellable = numbers.sendable.handleEvents(receiveOutput: { _ in count.add(1) }).sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { count.add(1) }
    #else
      var count = 0
      let cancellable = numbers.sendable.handleEvents(receiveOutput: { _ in count += 1 }).sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { count += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
