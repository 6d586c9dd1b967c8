// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SerialQueueTests {
  private struct Count: SerialState {
    var count = 0
  }

  /// A user of the queue that records its signals.
  private final class User: @unchecked Sendable {
    let queue = SerialQueue<Int, Count>()
    // Accessed only by the owner: the thread sanitizer checks that.
    var performed: [Int] = []
    var isPerforming = false
    var onSignal: (Int) -> Void = { _ in }

    func submit(_ signal: Int) {
      let thread = currentThread()
      queue.perform(
        on: thread, { perform(signal) }, orQueue: { if queue.append(signal, thread) { leave(thread) } },
        leave: { leave(thread) })
    }

    /// Numbers a signal in the step in which it gets its place.
    func submitNumbered() {
      let thread = currentThread()
      let entry = queue.enter(thread)
      let (number, mustQueue) = queue.withLock { contents -> (Int, Bool) in
        contents.state.count += 1
        let mustQueue = contents.mustQueue(entry)
        if mustQueue { contents.signals.append(contents.state.count) }
        return (contents.state.count, mustQueue)
      }
      if !mustQueue { perform(number) }
      switch entry {
      case .entered: queue.drain(thread, isRefused: mustQueue) { perform($0) }
      case .nested, .busy: if mustQueue, queue.announce(thread) { leave(thread) }
      }
    }

    func perform(_ signal: Int) {
      performed.append(signal)
      onSignal(signal)
    }

    func enter(_ thread: UInt) -> DrainLoop.Entry { queue.enter(thread) }

    func tryToLeave(_ thread: UInt) -> Bool { queue.leave(thread) }

    func leave(_ thread: UInt) {
      if !queue.leave(thread) { queue.drain(thread, isRefused: true) { perform($0) } }
    }
  }

  @Test func `A signal is performed at once, and nests`() {
    let user = User()
    user.onSignal = { signal in
      if signal == 1 {
        user.submit(2)
        #expect(user.performed == [1, 2])
      }
    }
    user.submit(1)
    #expect(user.performed == [1, 2])
  }

  @Test func `What another thread sends is performed before the owner leaves, in order`() {
    let user = User()
    user.onSignal = { signal in
      if signal == 1 {
        elsewhere { for signal in 2...4 { user.submit(signal) } }
        #expect(user.performed == [1])
      }
    }
    user.submit(1)
    #expect(user.performed == [1, 2, 3, 4])
  }

  @Test func `The owner's own signal overtakes neither what is queued nor what has been taken`() {
    let user = User()
    user.onSignal = { signal in
      switch signal {
      case 1:
        elsewhere {
          user.submit(2)
          user.submit(3)
        }
        user.submit(4)
      case 2: user.submit(5)
      case 5: user.submit(6)
      default: break
      }
    }
    user.submit(1)
    #expect(user.performed == [1, 2, 3, 4, 5, 6])
  }

  @Test func `Signals that are taken one by one are not overtaken either`() {
    let user = User()
    let thread = currentThread()
    #expect(user.enter(thread) == .entered)
    elsewhere {
      user.submit(1)
      user.submit(2)
    }
    #expect(!user.tryToLeave(thread))
    while let (signal, change) = user.queue.takeFirst({ state, signal in state.count + signal }) {
      #expect(change == signal)
      user.perform(signal)
      if signal == 1 { user.submit(3) }
    }
    #expect(user.performed == [1, 2, 3])
    // The third signal has set the mark.
    #expect(!user.tryToLeave(thread))
    #expect(user.tryToLeave(thread))
  }

  @Test func `Signals behind the end are released when nothing waits any more`() {
    final class Last {
      let deinitialised: () -> Void
      init(_ deinitialised: @escaping () -> Void) { self.deinitialised = deinitialised }
      deinit { deinitialised() }
    }
    final class Objects {
      let queue = SerialQueue<Last?, NoState>()
      func enter(_ thread: UInt) -> DrainLoop.Entry { queue.enter(thread) }
      func leave(_ thread: UInt) -> Bool { queue.leave(thread) }
    }
    let objects = Objects()
    let thread = currentThread()
    #expect(objects.enter(thread) == .entered)
    var found: [DrainLoop.Entry] = []
    _ = objects.queue.append(nil, thread)
    _ = objects.queue.append(Last { found.append(objects.enter(thread)) }, thread)
    var isOver = false
    #expect(!objects.leave(thread))
    objects.queue.performQueued(unless: isOver) { _ in isOver = true }
    #expect(found == [.nested])
    #expect(objects.leave(thread))
  }

  @Test func `No signal of many threads is lost or overlaps, and each thread's are in order`() {
    let user = User()
    user.onSignal = { _ in
      precondition(!user.isPerforming)
      user.isPerforming = true
      user.isPerforming = false
    }
    onThreads(4) { thread in
      for number in 0..<5_000 { user.submit(thread * 10_000 + number) }
    }
    #expect(user.performed.count == 20_000)
    for thread in 0..<4 {
      #expect(user.performed.filter { $0 / 10_000 == thread } == (0..<5_000).map { thread * 10_000 + $0 })
    }
  }

  @Test func `Signals that are numbered under the lock are performed in the order of their numbers`() {
    let user = User()
    onThreads(4) { _ in
      for _ in 0..<5_000 { user.submitNumbered() }
    }
    #expect(user.performed == Array(1...20_000))
  }
}
