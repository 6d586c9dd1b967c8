// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A property of an object that its owner changes as well, set by `assign(to:on:)`.

import PenstockConcurrency
import Synchronization

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let cancellable = numbers.sendable.assign(to: \.count, on: Gauge.shared)
      let other = Elsewhere { numbers.send(1) }
      here { Gauge.shared.count += 1 }
      other.wait()
    #else
      let model = Model()
      let cancellable = numbers.sendable.assign(to: \.count, on: model)
      let other = Elsewhere { numbers.send(1) }
      here { model.count += 1 }
      other.wait()
    #endif
    cancellable.cancel()
  }
}

final class Gauge: Sendable {
  static let shared = Gauge()
  private let stored = Mutex(0)
  var count: Int {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
