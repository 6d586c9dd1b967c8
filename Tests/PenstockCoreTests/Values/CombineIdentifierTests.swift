// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CombineIdentifierTests {
  @Test func `No two calls return the same identifier, on any thread`() {
    let all = Locked<[CombineIdentifier]>([])
    onThreads(4) { _ in
      let mine = (0..<2_000).map { _ in CombineIdentifier() }
      all.change { $0 += mine }
    }
    #expect(Set(all.value).count == 8_000)
  }

  @Test func `An object always has the same identifier, and shares it with no other`() {
    let (a, b) = (Canary(), Canary())
    #expect(CombineIdentifier(a) == CombineIdentifier(a))
    #expect(CombineIdentifier(a) != CombineIdentifier(b))
    #expect(CombineIdentifier(a) != CombineIdentifier())
  }

  @Test func `The description is the hexadecimal address`() {
    let object = Canary()
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    #expect(CombineIdentifier(object).description == "0x" + String(address, radix: 16))
  }

  @Test func `The mirror shows the raw value`() {
    let children = Mirror(reflecting: CombineIdentifier()).children
    #expect(children.map(\.label) == ["rawValue"])
    #expect(children.first?.value is UInt64)
  }

  @Test func `A class gets its identifier from its identity`() {
    final class Thing: CustomCombineIdentifierConvertible {}
    let thing = Thing()
    #expect(thing.combineIdentifier == CombineIdentifier(thing))
  }
}
