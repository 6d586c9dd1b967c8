// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation
internal import PenstockCore

#if canImport(Darwin)
  extension RunLoop {
    /// Makes the run loop process its blocks, even if it is asleep.
    internal func wake() {
      CFRunLoopWakeUp(getCFRunLoop())
    }
  }
#else
  extension RunLoop {
    /// Makes the run loop process its blocks, even if it is asleep.
    ///
    /// Foundation has no such call here, and `perform` does not wake the run loop: a block would wait for another
    /// event. But a run loop wakes when another thread changes the date of one of its timers. So each run loop gets one
    /// timer for that purpose, in a mode of its own in which no run loop runs: it never fires, and does not keep the
    /// run loop running.
    internal func wake() {
      let waker = RunLoopWaker.of(self)
      if RunLoop.current === self {
        // A run loop cannot be woken from its own thread, and may still go to sleep, since it may already have checked
        // its blocks for the last time. It is kept alive until it is woken, because its thread may end meanwhile and a
        // timer does not keep it alive.
        let ring = ScheduledAction { withExtendedLifetime(self) { waker.ring() } }
        DispatchQueue.global().async(execute: ring.run)
      } else {
        waker.ring()
      }
    }
  }

  /// The timer that wakes one run loop.
  internal final class RunLoopWaker: @unchecked Sendable {
    // `@unchecked`: a timer's date may be set from any thread.

    private let timer: Timer

    /// The wakers of all run loops that have been woken and still exist.
    private static let all = ObjectTable<RunLoopWaker>()

    private init(_ runLoop: RunLoop) {
      timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      runLoop.add(timer, forMode: RunLoop.Mode("org.penstock.wake"))
    }

    internal static func of(_ runLoop: RunLoop) -> RunLoopWaker {
      all.companion(of: runLoop) { RunLoopWaker(runLoop) }
    }

    /// The number of wakers, including some of freed run loops.
    internal static var count: Int { all.count }

    internal func ring() {
      timer.fireDate = .distantFuture
    }
  }
#endif
