// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation
internal import PenstockCore

#if canImport(Darwin)
  extension RunLoop {
    /// Makes the run loop look at its blocks, even if it is asleep.
    internal func wake() {
      CFRunLoopWakeUp(getCFRunLoop())
    }
  }
#else
  extension RunLoop {
    /// Makes the run loop look at its blocks, even if it is asleep.
    ///
    /// Foundation has no such call here, and `perform` does not do it: a block would wait until something else happens to
    /// the run loop. But a run loop is woken when the date of one of its timers is changed by another thread. So each
    /// run loop gets one timer for that. It is in a mode of its own, in which no run loop is run: it never fires, and
    /// keeps no run loop going.
    internal func wake() {
      let waker = RunLoopWaker.of(self)
      if RunLoop.current === self {
        // From its own thread a run loop cannot be woken, and may yet go to sleep: before it does, it has looked at its
        // blocks for the last time. It is kept until then: its thread may end meanwhile, and a timer does not keep it.
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

    /// One for each run loop that has been woken and is still there.
    private static let all = ObjectTable<RunLoopWaker>()

    private init(_ runLoop: RunLoop) {
      timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      runLoop.add(timer, forMode: RunLoop.Mode("org.penstock.wake"))
    }

    internal static func of(_ runLoop: RunLoop) -> RunLoopWaker {
      all.companion(of: runLoop) { RunLoopWaker(runLoop) }
    }

    /// How many there are, some of which may be of run loops that are gone.
    internal static var count: Int { all.count }

    internal func ring() {
      timer.fireDate = .distantFuture
    }
  }
#endif
