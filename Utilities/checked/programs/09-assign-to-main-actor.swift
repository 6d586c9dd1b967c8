// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A property of the main actor, set by `assign(to:on:)` wherever values arrive.

import PenstockConcurrency

@MainActor final class Screen {
  // With an observer the key path calls a setter, which the sanitizer sees.
  var count = 0 { didSet {} }
  @Published var published = 0
  var cancellables: Set<AnyCancellable> = []

  func show(_ numbers: PassthroughSubject<Int, Never>) {
    #if FIXED
      numbers.sendable.assign(to: &$published)
    #else
      numbers.sendable.assign(to: \.count, on: self).store(in: &cancellables)
    #endif
  }
}

enum Program {
  @MainActor static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    let screen = Screen()
    screen.show(numbers)
    let other = Elsewhere { numbers.send(1) }
    here { screen.count += 1 }
    other.wait()
  }
}
