// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A ledger in an object: the macros of the tests need a copyable value.
private final class Ledger: Sendable {
  private let ledger = DemandLedger()
  var balance: Demand { ledger.balance }
  var isClosed: Bool { ledger.isClosed }
  @discardableResult func add(_ demand: Demand) -> Demand? { ledger.add(demand) }
  func withdraw(_ demand: Demand) -> Demand? { ledger.withdraw(demand) }
  func takeOne() -> Bool { ledger.takeOne() }
  func close() -> DemandLedger.Closing { ledger.close() }
}

@Suite struct DemandLedgerTests {
  @Test(arguments: edgePairs)
  func `Adding returns what was there and keeps the sum`(_ a: Int?, _ b: Int?) {
    let ledger = Ledger()
    #expect(ledger.add(demand(a)) == Demand.none)
    #expect(ledger.add(demand(b)) == demand(a))
    #expect(ledger.balance == demand(a) + demand(b))
  }

  @Test(arguments: edgePairs)
  func `Withdrawing returns what is left`(_ a: Int?, _ b: Int?) {
    if let a, let b, a < b { return }  // More than the balance: a mistake of the engine, which traps.
    let ledger = Ledger()
    ledger.add(demand(a))
    #expect(ledger.withdraw(demand(b)) == demand(a) - demand(b))
    #expect(ledger.balance == demand(a) - demand(b))
  }

  @Test(arguments: edgeCounts)
  func `Taking one needs at least one`(_ count: Int?) {
    let ledger = Ledger()
    ledger.add(demand(count))
    #expect(ledger.takeOne() == (count != 0))
    #expect(ledger.balance == (count == 0 ? .none : demand(count) - 1))
  }

  @Test(arguments: edgeCounts)
  func `A closed ledger gives nothing and takes nothing`(_ count: Int?) {
    let ledger = Ledger()
    ledger.add(demand(count))
    #expect(!ledger.isClosed)
    #expect(ledger.close() == (count == 0 ? .idle : .busy))
    #expect(ledger.close() == .already)
    #expect(ledger.isClosed)
    #expect(ledger.add(.max(1)) == nil)
    #expect(ledger.withdraw(.max(1)) == nil)
    #expect(!ledger.takeOne())
    #expect(ledger.balance == .none)
  }

  @Test func `What threads add and take at once adds up`() {
    let ledger = Ledger()
    let taken = Locked(0)
    onThreads(4) { index in
      if index < 2 {
        for _ in 0..<5_000 { ledger.add(.max(3)) }
      } else {
        var mine = 0
        for _ in 0..<5_000 where ledger.takeOne() { mine += 1 }
        taken.change { $0 += mine }
      }
    }
    #expect(ledger.balance == .max(30_000 - taken.value))
  }

  @Test func `Exactly one of many threads closes`() {
    for _ in 0..<100 {
      let ledger = Ledger()
      ledger.add(.max(1))
      let firsts = Locked(0)
      onThreads(4) { _ in
        if ledger.close() != .already { firsts.change { $0 += 1 } }
      }
      #expect(firsts.value == 1)
    }
  }
}
