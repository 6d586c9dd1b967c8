// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation

/// A thread that runs its run loop, until the test is done with it.
public final class LoopThread: @unchecked Sendable {
  // `@unchecked`: the run loop is set before anybody has the object, and the modes are behind a lock.

  public private(set) var runLoop: RunLoop
  private let modes: Locked<RunLoop.Mode?>
  private let ended = Gate()

  /// - Parameter mode: The mode in which the run loop is run at first.
  public init(mode: RunLoop.Mode = .default) {
    let modes = Locked<RunLoop.Mode?>(mode)
    self.modes = modes
    let started = Gate()
    let ended = ended
    let found = Locked<UncheckedRunLoop?>(nil)
    let thread = Thread {
      found.change { $0 = UncheckedRunLoop(runLoop: .current) }
      started.open()
      while let mode = modes.value {
        // Something to wait for, or the run loop would not be run at all.
        RunLoop.current.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: mode)
        while modes.value == mode { _ = RunLoop.current.run(mode: mode, before: .distantFuture) }
      }
      ended.open()
    }
    thread.start()
    started.wait()
    runLoop = found.value!.runLoop
  }

  /// Leaves the mode, and runs the run loop in another one.
  public func change(to mode: RunLoop.Mode) { leave(for: mode) }

  /// Ends the thread, and waits for that.
  public func stop() {
    leave(for: nil)
    ended.wait()
  }

  private func leave(for next: RunLoop.Mode?) {
    let old = modes.change { modes in
      defer { modes = next }
      return modes
    }
    guard let old else { return }
    // A timer alone does not make a run loop return.
    let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in
      #if canImport(Darwin)
        CFRunLoopStop(CFRunLoopGetCurrent())
      #else
        RunLoop.current._stop()
      #endif
    }
    runLoop.add(timer, forMode: old)
  }
}

private struct UncheckedRunLoop: @unchecked Sendable {
  let runLoop: RunLoop
}
