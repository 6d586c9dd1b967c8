// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A sink that changes the state of the main actor, wherever values arrive.

import PenstockConcurrency

@MainActor final class Screen {
  var count = 0
  var cancellables: Set<AnyCancellable> = []

  func show(_ numbers: PassthroughSubject<Int, Never>) {
    #if FIXED
      numbers.sendable.sink { number in Task { @MainActor in self.count += number } }.store(in: &cancellables)
    #else
      numbers.sendable.sink { self.count += $0 }.store(in: &cancellables)
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
    print(screen.count)
  }
}
