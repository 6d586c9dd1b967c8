// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private final class Node {
  var next: Node?
  var action: (() -> Void)?
  var list: [AnyObject] = []
}

@Suite struct LeakProbeTests {
  @Test func `What is freed is not there`() throws {
    let probe = LeakProbe()
    do { probe.watch(Node(), "node") }
    try probe.expectNothingAlive()
  }

  @Test func `A survivor is named with the way to it`() {
    let probe = LeakProbe()
    do {
      let (first, second) = (probe.watch(Node(), "first"), probe.watch(Node(), "second"))
      first.next = second
      second.list = [first]
    }
    #expect(
      probe.survivors.map(\.description)
        == ["first is held by second.list[0]", "second is held by first.next"])
  }

  @Test func `What a closure captures cannot be seen, and the text says so`() {
    let probe = LeakProbe()
    do {
      let node = probe.watch(Node(), "node")
      node.action = { _ = node }
    }
    let failure = #expect(throws: TestFailure.self) { try probe.expectNothingAlive() }
    #expect(failure?.message.contains("node is held by a closure") == true)
  }

  @Test func `Other objects can be looked into`() {
    let probe = LeakProbe()
    let root = Node()
    do {
      let inner = Node()
      inner.next = probe.watch(Node(), "leaf")
      root.list = [inner]
    }
    #expect(probe.survivors.first?.holders == [])
    #expect(probe.survivors(lookingIn: ["root": root]).first?.holders == ["root.list[0].next"])
  }
}
