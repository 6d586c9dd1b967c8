// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// State of the main actor, changed by `handleEvents` on the thread that cancels.

import PenstockConcurrency

@MainActor final class Screen {
  var cancels = 0

  func watch(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    #if FIXED
      numbers.sendable.handleEvents(receiveCancel: { Task { @MainActor in self.cancels += 1 } }).sink { _ in }
    #else
      numbers.sendable.handleEvents(receiveCancel: { self.cancels += 1 }).sink { _ in }
    #endif
  }
}

enum Program {
  @MainActor static func run() async {
    let screen = Screen()
    let cancellable = screen.watch(PassthroughSubject())
    let other = Elsewhere { cancellable.cancel() }
    here { screen.cancels += 1 }
    other.wait()
  }
}
