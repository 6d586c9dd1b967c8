// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a finite, empty or failing source, delivered synchronously. Unusual: it loads one chapter ahead of demand
// (so the end needs none), empty chapters are skipped, and values that are requested inside the handshake come after
// it.
struct Chapters: Publisher {
  typealias Output = Int
  struct Failure: Error, Equatable {
    var chapter: Int
  }

  let load: (_ number: Int) -> Result<[Int], Failure>?  // nil: no such chapter, the book is over

  init(load: @escaping (_ number: Int) -> Result<[Int], Failure>?) { self.load = load }

  init(_ chapters: [[Int]], tornAfterLast isTorn: Bool = false) {
    self.init { number in
      if number < chapters.count { return .success(chapters[number]) }
      return isTorn ? .failure(Failure(chapter: number)) : nil
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let reading = Reading(load, subscriber)
    subscriber.receive(subscription: reading)
    reading.serve()
  }

  private final class Reading<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Failure {
    private let lock = NSLock()
    private let load: (Int) -> Result<[Int], Failure>?
    private var subscriber: S?
    private var (chapter, pages): (Int, ArraySlice<Int>) = (0, [])
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery

    init(_ load: @escaping (Int) -> Result<[Int], Failure>?, _ subscriber: S) {
      (self.load, self.subscriber) = (load, subscriber)
    }

    func request(_ more: Subscribers.Demand) {
      let mayServe = lock.withLock {
        demand += more
        defer { isServing = true }
        return !isServing
      }
      if mayServe { serve() }
    }

    func cancel() {
      let gone = lock.withLock {
        defer { subscriber = nil }
        return subscriber
      }
      withExtendedLifetime(gone) {}
    }

    func serve() {
      while serveNext() {}
    }

    private func serveNext() -> Bool {
      lock.lock()
      guard let subscriber, pages.isEmpty || demand > .none else {
        isServing = false
        lock.unlock()
        return false
      }
      if let value = pages.popFirst() {
        demand -= 1
        lock.unlock()
        let extra = subscriber.receive(value)
        lock.withLock { demand += extra }
        return true
      }
      if let end {
        self.subscriber = nil
        lock.unlock()
        subscriber.receive(completion: end)
        return false
      }
      let number = chapter
      lock.unlock()
      let loaded = load(number)
      lock.withLock {
        chapter += 1
        switch loaded {
        case .success(let pages)?: self.pages = pages[...]
        case .failure(let error)?: end = .failure(error)
        case nil: end = .finished
        }
      }
      return true
    }
  }
}
