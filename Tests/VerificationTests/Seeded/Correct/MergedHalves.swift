// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// A merging of two: takes a value from the even and one from the odd numbers in turn.
///
/// Keeps all rules.
struct MergedHalves: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Merger(subscriber, count: count).open()
  }

  private final class Merger<Downstream: Subscriber>: CleanMailbox<Downstream> where Downstream.Input == Int {
    private var evens: StrideTo<Int>.Iterator
    private var odds: StrideTo<Int>.Iterator

    init(_ downstream: Downstream, count: Int) {
      evens = stride(from: 0, to: count, by: 2).makeIterator()
      odds = stride(from: 1, to: count, by: 2).makeIterator()
      super.init(downstream)
      fetches = true
    }

    override func fetch() -> (values: [Int], isLast: Bool) {
      let pair = [evens.next(), odds.next()].compactMap { $0 }
      return (pair, pair.isEmpty)
    }
  }
}
