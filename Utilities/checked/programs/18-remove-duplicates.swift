// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A comparison by an object that remembers what it compared.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let total = Total()
      let cancellable = numbers.sendable.removeDuplicates {
        total.add(1)
        return $0 == $1
      }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { total.add(1) }
    #else
      let model = Model()
      let cancellable = numbers.sendable.removeDuplicates {
        model.count += 1
        return $0 == $1
      }.sink { _ in }
      let other = Elsewhere { numbers.send(1) }
      here { model.count += 1 }
    #endif
    other.wait()
    cancellable.cancel()
  }
}
