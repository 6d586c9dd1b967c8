// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A sink that changes the state of an actor.

import PenstockConcurrency

actor Counter {
  private var count = 0
  private var cancellables: Set<AnyCancellable> = []

  func follow(_ numbers: PassthroughSubject<Int, Never>) {
    #if FIXED
      numbers.sendable.sink { number in Task { await self.add(number) } }.store(in: &cancellables)
    #else
      numbers.sendable.sink { self.count += $0 }.store(in: &cancellables)
    #endif
  }

  func add(_ number: Int) { count += number }
}

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    let counter = Counter()
    await counter.follow(numbers)
    for _ in 0..<1_000 {
      numbers.send(1)
      await counter.add(1)
    }
  }
}
