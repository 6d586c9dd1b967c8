// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// Run loops as schedulers, on threads that do nothing else.
@Suite struct RunLoopSchedulerTests {
  private let loop = LoopThread()

  @Test func `Now is now, and the tolerance is nothing`() {
    defer { loop.stop() }
    let before = Date()
    let now = loop.runLoop.now.date
    #expect(before <= now && now <= Date())
    #expect(loop.runLoop.minimumTolerance == .zero)
  }

  @Test func `What is scheduled wakes a run loop that is asleep, and keeps its order`() {
    defer { loop.stop() }
    // Nothing else happens in the run loop, so it sleeps between two of these.
    for _ in 0..<20 {
      let done = Gate()
      let order = Locked<[Int]>([])
      for number in 0..<3 {
        loop.runLoop.schedule {
          order.change { $0.append(number) }
          if number == 2 { done.open() }
        }
      }
      done.wait()
      #expect(order.value == [0, 1, 2])
    }
  }

  @Test func `What is scheduled runs on the run loop's thread`() {
    defer { loop.stop() }
    let done = Gate()
    let isThere = Locked(false)
    loop.runLoop.schedule { [runLoop = Unchecked(loop.runLoop)] in
      isThere.change { $0 = RunLoop.current === runLoop.value }
      done.open()
    }
    done.wait()
    #expect(isThere.value)
  }

  @Test func `Nothing runs inline, and work that schedules more is not left waiting`() {
    defer { loop.stop() }
    let done = Gate()
    let order = Locked<[String]>([])
    loop.runLoop.schedule { [runLoop = loop.runLoop] in
      runLoop.schedule {
        order.change { $0.append("second") }
        runLoop.schedule {
          order.change { $0.append("third") }
          done.open()
        }
      }
      order.change { $0.append("first") }
    }
    done.wait()
    #expect(order.value == ["first", "second", "third"])
  }

  @Test func `What is scheduled for later runs at its date, once`() {
    defer { loop.stop() }
    let (done, more) = (Gate(), Gate())
    let dates = Locked<[Date]>([])
    let date = loop.runLoop.now.advanced(by: .milliseconds(10))
    let before = Date()
    loop.runLoop.schedule(after: date, tolerance: .milliseconds(1)) {
      dates.change { $0.append(Date()) }
      done.open()
    }
    // Foundation reads two clocks for a timer, one after the other: the time in between makes it early.
    let slack = Date().timeIntervalSince(before) + 0.001
    done.wait()
    loop.runLoop.schedule(after: loop.runLoop.now.advanced(by: .milliseconds(5))) { more.open() }
    more.wait()
    #expect(dates.value.count == 1)
    #expect(dates.value.allSatisfy { $0 >= date.date.addingTimeInterval(-slack) })
  }

  @Test func `Work that has run is released`() {
    defer { loop.stop() }
    var graveyard = Graveyard()
    let done = Gate()
    do {
      let canary = graveyard.watch(Canary(), "later")
      loop.runLoop.schedule(after: loop.runLoop.now) { withExtendedLifetime(canary) {} }
      let other = graveyard.watch(Canary(), "now")
      loop.runLoop.schedule { withExtendedLifetime(other) {} }
    }
    // Scheduled by a block after the one above: a run loop that is late runs all due timers before any block.
    loop.runLoop.schedule { [runLoop = Unchecked(loop.runLoop)] in
      runLoop.value.schedule(after: runLoop.value.now.advanced(by: .milliseconds(5))) { done.open() }
    }
    done.wait()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `What is repeated runs again and again, until it is cancelled`() {
    defer { loop.stop() }
    let done = Gate()
    let count = Locked(0)
    let holder = Locked<(any Cancellable)?>(nil)
    // Its first run waits for the lock, until the holder has it.
    holder.change { stored in
      stored = loop.runLoop.schedule(
        after: loop.runLoop.now.advanced(by: .milliseconds(2)), interval: .milliseconds(2)
      ) {
        let number = count.change { count in
          count += 1
          return count
        }
        guard number == 3 else { return }
        holder.value?.cancel()
        done.open()
      }
    }
    done.wait()
    let more = Gate()
    loop.runLoop.schedule(after: loop.runLoop.now.advanced(by: .milliseconds(10))) { more.open() }
    more.wait()
    #expect(count.value == 3)
  }

  @Test(arguments: [false, true])
  func `No run starts once a repeated one has been cancelled or dropped, and its closure goes`(_ drop: Bool) {
    var graveyard = Graveyard()
    let ran = Locked(0)
    let (busy, gate) = (Gate(), Gate())
    loop.runLoop.schedule {
      busy.open()
      gate.wait()
    }
    busy.wait()
    var cancellable: (any Cancellable)?
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = loop.runLoop.schedule(after: loop.runLoop.now, interval: .milliseconds(1)) {
        withExtendedLifetime(canary) {}
        ran.change { $0 += 1 }
      }
    }
    #expect(graveyard.survivors == ["closure"])
    if !drop { cancellable?.cancel() }
    cancellable = nil
    #expect(graveyard.survivors.isEmpty)
    gate.open()
    loop.stop()
    #expect(ran.value == 0)
  }

  @Test func `Nothing runs while the run loop is in another mode`() {
    let other = RunLoop.Mode("other")
    let loop = LoopThread(mode: other)
    let ran = Locked<[String]>([])
    let (inOther, done) = (Gate(), Gate())
    loop.runLoop.schedule { ran.change { $0.append("block") } }
    loop.runLoop.schedule(after: loop.runLoop.now) { ran.change { $0.append("timer") } }
    let repeated = loop.runLoop.schedule(after: loop.runLoop.now, interval: .milliseconds(1)) {
      ran.change { $0.append("repeated") }
      done.open()
    }
    let later = Timer(fire: Date(timeIntervalSinceNow: 0.01), interval: 0, repeats: false) { _ in inOther.open() }
    loop.runLoop.add(later, forMode: other)
    inOther.wait()
    #expect(ran.value.isEmpty)
    loop.change(to: .default)
    done.wait()
    repeated.cancel()
    loop.stop()
    #expect(Set(ran.value) == ["block", "timer", "repeated"])
  }

  @Test func `Waking a run loop keeps none going that has nothing to do`() {
    onThreads([
      {
        let ran = Locked(false)
        RunLoop.current.schedule { ran.change { $0 = true } }
        while !ran.value { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
        // The run loop has no source to wait for, so it does not run at all.
        #expect(!RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 30)))
      }
    ])
  }

  @Test func `Many threads schedule on one run loop`() {
    let count = Locked(0)
    let done = Gate()
    let runLoop = Unchecked(loop.runLoop)
    onThreads(4) { _ in
      for _ in 0..<100 {
        runLoop.value.schedule {
          if count.change({
            $0 += 1; return $0
          }) == 400 {
            done.open()
          }
        }
      }
    }
    done.wait()
    loop.stop()
    #expect(count.value == 400)
  }

  @Test func `Cancelling races with running`() {
    defer { loop.stop() }
    for _ in 0..<50 {
      let cancellable = Locked(loop.runLoop.schedule(after: loop.runLoop.now, interval: .milliseconds(0)) {})
      onThreads(2) { _ in cancellable.value.cancel() }
    }
  }
}

/// A value that a test hands to another thread, taking responsibility for its safety.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
