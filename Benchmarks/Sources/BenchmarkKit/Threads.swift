// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Synchronization

/// Runs a closure on two threads of its own at the same time, and waits for both.
public func onTwoThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let arrived = Counter()
  let done = DispatchSemaphore(value: 0)
  for number in 0..<2 {
    Thread {
      arrived.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
      // Both start together; otherwise the first would be done before the second has started.
      while arrived.count.load(ordering: .acquiring) < 2 {}
      body(number)
      done.signal()
    }.start()
  }
  done.wait()
  done.wait()
}

/// Shares a value between two threads, although its type need not be Sendable: OpenCombine's subjects are not.
public struct Shared<Value>: @unchecked Sendable {
  public let value: Value

  @inlinable
  public init(_ value: Value) { self.value = value }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}
