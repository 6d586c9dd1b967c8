// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// A paging client: asks a server for pages of four invoices, one page ahead, and delivers them one by one.
///
/// Keeps all rules.
struct PagedInvoices: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Client(subscriber, count: count).open()
  }

  private final class Client<Downstream: Subscriber>: CleanMailbox<Downstream> where Downstream.Input == Int {
    private let count: Int
    private var fetched = 0

    init(_ downstream: Downstream, count: Int) {
      self.count = count
      super.init(downstream)
      fetches = true
    }

    /// Every page says how many invoices there are, so the last page is recognised even when it is full.
    override func fetch() -> (values: [Int], isLast: Bool) {
      let page = Array(fetched..<Swift.min(fetched + 4, count))
      fetched += page.count
      return (page, fetched == count)
    }
  }
}
