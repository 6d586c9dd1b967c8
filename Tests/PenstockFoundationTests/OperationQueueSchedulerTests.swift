// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// Operation queues as schedulers.
@Suite struct OperationQueueSchedulerTests {
  private let queue = OperationQueue()

  /// A date in the far future, which no test reaches.
  private var later: OperationQueue.SchedulerTimeType { queue.now.advanced(by: .seconds(3_600)) }

  @Test func `Now is now, and the tolerance is nothing`() {
    let before = Date()
    let now = queue.now.date
    #expect(before <= now && now <= Date())
    #expect(queue.minimumTolerance == .zero)
  }

  @Test func `What is scheduled is an operation, and runs on the queue`() {
    queue.isSuspended = true
    let isThere = Locked(false)
    queue.schedule { [queue] in isThere.change { $0 = OperationQueue.current === queue } }
    #expect(queue.operationCount == 1)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(isThere.value)
  }

  @Test func `The operations can be cancelled as streams are, and those without a date are block operations`() throws {
    queue.isSuspended = true
    let runs = Locked(0)
    let count = { @Sendable in runs.change { $0 += 1 } }
    queue.schedule { count() }
    queue.schedule(after: queue.now) { count() }
    let repeated = queue.schedule(after: queue.now, interval: .seconds(3_600)) { count() }
    #expect(queue.operations.count == 3)
    for (place, operation) in queue.operations.enumerated() {
      #expect((operation is BlockOperation) == (place == 0))
      let cancellable = try #require(operation as? any Cancellable)
      cancellable.cancel()
    }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(runs.value == 0)
    repeated.cancel()
  }

  @Test func `Nothing runs inline, not even on the queue itself`() {
    queue.maxConcurrentOperationCount = 1
    let order = Locked<[String]>([])
    let done = Gate()
    queue.schedule { [queue] in
      queue.schedule { order.change { $0.append("now") } }
      queue.schedule(after: queue.now) {
        order.change { $0.append("later") }
        done.open()
      }
      order.change { $0.append("outer") }
    }
    done.wait()
    #expect(order.value == ["outer", "now", "later"])
  }

  @Test func `What is scheduled for later is one of the operations, and becomes ready at its date`() {
    let dates = Locked<[Date]>([])
    queue.schedule(after: later) { dates.change { $0.append(.distantFuture) } }
    #expect(queue.operations.count == 1)
    #expect(queue.operations.first?.isReady == false)
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    let date = queue.now.advanced(by: .milliseconds(20))
    queue.schedule(after: date) { dates.change { $0.append(Date()) } }
    queue.waitUntilAllOperationsAreFinished()
    #expect(dates.value.count == 1)
    // Dispatch's wall clock and the clock of dates agree to about a microsecond.
    #expect(dates.value.allSatisfy { $0 >= date.date.addingTimeInterval(-0.001) && $0 <= Date() })
  }

  @Test func `What waits for its date holds nothing up`() {
    queue.maxConcurrentOperationCount = 1
    let done = Gate()
    queue.schedule(after: later) {}
    queue.schedule { done.open() }
    done.wait()
    #expect(queue.operationCount >= 1)
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test(arguments: [-1.0, 0, -Double.infinity])
  func `A date that has been is now`(_ seconds: Double) {
    let done = Gate()
    queue.schedule(after: queue.now.advanced(by: .seconds(seconds))) { done.open() }
    done.wait()
  }

  @Test(arguments: [1e10, 1e300, Double.infinity])
  func `A date that never comes is waited for`(_ seconds: Double) {
    queue.schedule(after: queue.now.advanced(by: .seconds(seconds))) { Issue.record("ran") }
    #expect(queue.operationCount == 1)
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test func `What the queue cancels goes at once, and does not run`() {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      queue.schedule(after: later) {
        withExtendedLifetime(canary) {}
        Issue.record("ran")
      }
    }
    #expect(graveyard.survivors == ["closure"])
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    #expect(graveyard.survivors.isEmpty)
    #expect(queue.operationCount == 0)
  }

  @Test func `What is repeated runs again and again, each time after the interval`() {
    let done = Gate()
    let runs = Locked<[(began: Date, ended: Date)]>([])
    let cancellable = queue.schedule(after: queue.now, interval: .milliseconds(5)) {
      let began = Date()
      if runs.change({
        $0.append((began, Date())); return $0.count
      }) == 4 {
        done.open()
      }
    }
    done.wait()
    cancellable.cancel()
    queue.waitUntilAllOperationsAreFinished()
    let seen = runs.value
    for (run, next) in zip(seen, seen.dropFirst()) {
      #expect(next.began.timeIntervalSince(run.ended) >= 0.004)
    }
  }

  @Test(arguments: [false, true])
  func `Cancelling or dropping a repeated one cancels what waits, and its closure goes`(_ drop: Bool) {
    var graveyard = Graveyard()
    var cancellable: (any Cancellable)?
    let ran = Gate()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = queue.schedule(after: queue.now, interval: .seconds(3_600)) {
        withExtendedLifetime(canary) {}
        ran.open()
      }
    }
    ran.wait()
    #expect(graveyard.survivors == ["closure"])
    if !drop { cancellable?.cancel() }
    cancellable = nil
    queue.waitUntilAllOperationsAreFinished()
    #expect(graveyard.survivors.isEmpty)
    #expect(queue.operationCount == 0)
  }

  @Test func `A repeated one that is cancelled from inside stops`() {
    let count = Locked(0)
    let holder = Locked<(any Cancellable)?>(nil)
    let done = Gate()
    holder.change { stored in
      stored = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        holder.value?.cancel()
        count.change { $0 += 1 }
        done.open()
      }
    }
    done.wait()
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.value == 1)
  }

  @Test func `Cancelling races with running, and leaves no operation behind`() {
    for _ in 0..<100 {
      let cancellable = Locked(queue.schedule(after: queue.now, interval: .microseconds(1)) {})
      onThreads(2) { _ in cancellable.value.cancel() }
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
  }

  @Test func `Many dates on a narrow queue are all kept`() {
    queue.maxConcurrentOperationCount = 2
    let count = Locked(0)
    for number in 0..<200 {
      let date = queue.now.advanced(by: .microseconds((number * 7_919) % 10_000))
      queue.schedule(after: date) { count.change { $0 += 1 } }
      queue.schedule { count.change { $0 += 1 } }
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.value == 400)
  }

  @Test func `The queue is free when its work is done`() {
    var graveyard = Graveyard()
    do {
      let queue = graveyard.watch(OperationQueue(), "queue")
      queue.schedule(after: queue.now, interval: .seconds(3_600)) {}.cancel()
      queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {}
      queue.waitUntilAllOperationsAreFinished()
    }
    // Foundation's threads release the queue a moment after its last operation has finished.
    let cap = Date(timeIntervalSinceNow: 30)
    while !graveyard.survivors.isEmpty, Date() < cap { sched_yield() }
    #expect(graveyard.survivors.isEmpty)
  }
}
