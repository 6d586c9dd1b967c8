// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation

/// A thread that runs its run loop until the test stops it.
public final class LoopThread: @unchecked Sendable {
  // `@unchecked`: the run loop is set before the object is shared, and the modes are behind a lock.

  public private(set) var runLoop: RunLoop
  private let modes: Locked<RunLoop.Mode?>
  private let ended = Gate()

  /// - Parameter mode: The first mode of the run loop.
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
        // A source to wait for; otherwise the run loop would not run at all.
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

  /// Stops the thread, and waits for its end.
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
