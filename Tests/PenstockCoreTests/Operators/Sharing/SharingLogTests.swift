// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The output of `print()` upstream and downstream of operators that share.
@Suite struct SharingLogTests {
  @Test func `Share: one subscription above, one for each subscriber below`() {
    let log = Paper()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.print("up", to: log).share()
    let first = shared.print("a", to: log).sink { _ in }
    #expect(
      log.takeLines() == [
        "a: receive subscription: (Multicast)", "a: request unlimited",
        "up: receive subscription: (PassthroughSubject)", "up: request unlimited",
      ])
    let second = shared.print("b", to: log).sink { _ in }
    #expect(log.takeLines() == ["b: receive subscription: (Multicast)", "b: request unlimited"])
    source.send(1)
    #expect(log.takeLines() == ["up: receive value: (1)", "a: receive value: (1)", "b: receive value: (1)"])
    first.cancel()
    #expect(log.takeLines() == ["a: receive cancel"])
    second.cancel()
    #expect(log.takeLines() == ["b: receive cancel", "up: receive cancel"])
    let third = shared.print("c", to: log).sink { _ in }
    source.send(completion: .finished)
    #expect(
      log.takeLines() == [
        "c: receive subscription: (Multicast)", "c: request unlimited",
        "up: receive subscription: (PassthroughSubject)", "up: request unlimited", "up: receive finished",
        "c: receive finished",
      ])
    third.cancel()
  }

  @Test func `Multicast: nothing above before it is connected`() {
    let log = Paper()
    let shared = [1, 2].publisher.print("up", to: log).multicast { PassthroughSubject<Int, Never>() }
    let cancellable = shared.print("down", to: log).sink { _ in }
    #expect(log.takeLines() == ["down: receive subscription: (Multicast)", "down: request unlimited"])
    let connection = shared.connect()
    #expect(
      log.takeLines() == [
        "up: receive subscription: ([1, 2])", "up: request unlimited", "up: receive value: (1)",
        "down: receive value: (1)", "up: receive value: (2)", "down: receive value: (2)", "up: receive finished",
        "down: receive finished",
      ])
    cancellable.cancel()
    connection.cancel()
    #expect(log.takeLines().isEmpty)
  }
}
