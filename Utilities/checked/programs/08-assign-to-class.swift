// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A property of an object that its owner changes as well, set by `assign(to:on:)`.

import PenstockConcurrency

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    #if FIXED
      let cancellable = numbers.sendable.assign(to: \.count, on: Gauge.shared)
      let other = Elsewhere { numbers.send(1) }
      here { Gauge.shared.count += 1 }
      other.wait()
    #else
      let meter = Meter()
      let cancellable = numbers.sendable.assign(to: \.level, on: meter)
      let other = Elsewhere { numbers.send(1) }
      here { meter.level += 1 }
      other.wait()
    #endif
    cancellable.cancel()
  }
}

final class Gauge: Sendable {
  static let shared = Gauge()
  private let total = Total()
  var count: Int {
    get { total.value }
    set { total.value = newValue }
  }
}

final class Meter {
  // With an observer the key path calls a setter, which the sanitizer sees.
  var level = 0 { didSet {} }
}
