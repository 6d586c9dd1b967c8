// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct WeakReferenceTests {
  @Test func `It does not keep its object, and is empty when that has been freed`() {
    var canary: Canary? = Canary()
    let reference = WeakReference(canary)
    #expect(reference.object === canary)
    canary = nil
    #expect(reference.object == nil)
  }

  @Test func `It may have no object`() {
    #expect(WeakReference<Canary>(nil).object == nil)
  }

  @Test func `A copy refers to the same object`() {
    let canary = Canary()
    let reference = WeakReference(canary)
    let copy = reference
    #expect(copy.object === canary)
    withExtendedLifetime(canary) {}
  }

  @Test func `It may be read on any thread if its object may`() {
    let canary = Canary()
    let reference = WeakReference(canary)
    onThreads(4) { _ in #expect(reference.object === canary) }
  }
}
