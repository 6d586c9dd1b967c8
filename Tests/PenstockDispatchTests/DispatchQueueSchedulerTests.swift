// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockDispatch
import TestSupport
import Testing

/// Queues as schedulers.
@Suite struct DispatchQueueSchedulerTests {
  private let key = DispatchSpecificKey<Int>()
  private let queue = DispatchQueue(label: "scheduler")

  init() { queue.setSpecific(key: key, value: 1) }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == 1 }

  /// A date in the far future, which no test reaches.
  private var later: DispatchQueue.SchedulerTimeType { queue.now.advanced(by: .seconds(3_600)) }

  @Test func `Now is now, and the tolerance is nothing`() {
    let before = DispatchTime.now()
    let now = queue.now.dispatchTime
    #expect(before <= now && now <= DispatchTime.now())
    #expect(queue.minimumTolerance == .zero)
  }

  @Test func `What is scheduled runs on the queue, and never inline`() {
    let (gate, done) = (Gate(), Gate())
    let ran = Locked(false)
    queue.async { gate.wait() }
    queue.schedule {
      ran.change { $0 = isOnQueue }
      done.open()
    }
    #expect(!ran.value)
    gate.open()
    done.wait()
    #expect(ran.value)
  }

  @Test func `It does not run inline on the queue itself either`() {
    let order = Locked<[String]>([])
    let done = Gate()
    queue.async {
      queue.schedule {
        order.change { $0.append("scheduled") }
        done.open()
      }
      order.change { $0.append("outer") }
    }
    done.wait()
    #expect(order.value == ["outer", "scheduled"])
  }

  @Test func `A group waits for what runs at once`() {
    let group = DispatchGroup()
    let gate = Gate()
    queue.schedule(options: .init(qos: .utility, flags: .barrier, group: group)) { gate.wait() }
    #expect(group.wait(timeout: .now()) == .timedOut)
    gate.open()
    #expect(group.wait(timeout: .now() + .seconds(30)) == .success)
  }

  @Test func `A group does not wait for what runs later`() {
    let group = DispatchGroup()
    queue.schedule(after: later, tolerance: 0, options: .init(group: group)) {}
    queue.schedule(after: later, interval: 1, tolerance: 0, options: .init(group: group)) {}.cancel()
    #expect(group.wait(timeout: .now()) == .success)
  }

  @Test func `What is scheduled for later runs at its time, on the queue`() {
    let done = Gate()
    let seen = Locked<(time: DispatchTime, onQueue: Bool)?>(nil)
    let date = queue.now.advanced(by: .milliseconds(10))
    queue.schedule(after: date) {
      seen.change { $0 = (.now(), isOnQueue) }
      done.open()
    }
    done.wait()
    #expect(seen.value?.onQueue == true)
    #expect(seen.value.map { $0.time >= date.dispatchTime } == true)
  }

  @Test func `What is never to run does not run`() {
    let done = Gate()
    let ran = Locked(false)
    queue.schedule(after: .init(.distantFuture)) { ran.change { $0 = true } }
    queue.schedule(after: queue.now.advanced(by: .nanoseconds(.max - 1))) { ran.change { $0 = true } }
    let repeated = queue.schedule(after: .init(.distantFuture), interval: .nanoseconds(.max)) {
      ran.change { $0 = true }
    }
    queue.schedule(after: queue.now.advanced(by: .milliseconds(10))) { done.open() }
    done.wait()
    #expect(!ran.value)
    repeated.cancel()
  }

  @Test func `What is repeated runs again and again, until it is cancelled from inside`() {
    let done = Gate()
    let count = Locked(0)
    let holder = Locked<(any Cancellable)?>(nil)
    holder.change { stored in
      stored = queue.schedule(after: queue.now, interval: .milliseconds(1), tolerance: .milliseconds(1)) {
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
    // The queue is serial: a run in progress would be over after this.
    queue.sync {}
    #expect(count.value == 3)
  }

  @Test(arguments: [false, true])
  func `No run starts once a repeated one has been cancelled or dropped, and its closure goes`(_ drop: Bool) {
    var graveyard = Graveyard()
    let ran = Locked(0)
    let gate = Gate()
    queue.async { gate.wait() }
    var cancellable: (any Cancellable)?
    do {
      let canary = graveyard.watch(Canary(), "closure")
      // Due at once: at the time of the cancel, the run waits for the queue.
      cancellable = queue.schedule(after: queue.now, interval: .nanoseconds(1)) {
        withExtendedLifetime(canary) {}
        ran.change { $0 += 1 }
      }
    }
    #expect(graveyard.survivors == ["closure"])
    if !drop { cancellable?.cancel() }
    cancellable = nil
    #expect(graveyard.survivors.isEmpty)
    gate.open()
    queue.sync {}
    #expect(ran.value == 0)
  }

  @Test(arguments: [0, -5, Int.min])
  func `An interval or a tolerance below what Dispatch takes does not trap`(_ nanoseconds: Int) {
    let done = Gate()
    let stride = DispatchQueue.SchedulerTimeType.Stride.nanoseconds(nanoseconds)
    let cancellable = queue.schedule(after: queue.now, interval: stride, tolerance: stride) { done.open() }
    done.wait()
    cancellable.cancel()
  }

  @Test func `Cancelling races with running`() {
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for _ in 0..<100 {
      let cancellable = concurrent.schedule(after: concurrent.now, interval: .nanoseconds(1)) {}
      let shared = Locked(cancellable)
      onThreads(2) { _ in shared.value.cancel() }
    }
  }

  @Test func `Options have Combine's defaults, and can be set`() {
    var options = DispatchQueue.SchedulerOptions()
    #expect(options.qos == .unspecified)
    #expect(options.flags == [])
    #expect(options.group == nil)
    options.flags = [.barrier, .enforceQoS]
    #expect(options.flags == [.barrier, .enforceQoS])
  }
}
