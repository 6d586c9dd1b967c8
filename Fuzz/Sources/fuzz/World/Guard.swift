// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// A value guarded by a lock that the thread sanitizer understands.
final class Guard<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }

  /// A copy.
  var value: Value { change { $0 } }
}
