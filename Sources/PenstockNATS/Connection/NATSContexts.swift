// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The objects to which the C client refers, for tests that nothing leaks.
  package enum NATSContexts {
    private static let count = Guarded(0)

    /// The number of these objects.
    package static var live: Int { count.withLock { $0 } }

    internal static func add(_ difference: Int) { count.withLock { $0 += difference } }
  }
#endif
