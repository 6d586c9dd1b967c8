// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The enabled introspections.
internal let introspections = Introspections()

internal struct Introspections: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the list is behind the lock; introspections may be called on any thread, by contract.

  private let enabled = Guarded<[any _Introspection]>([])

  var current: [any _Introspection] { enabled.withLock { $0 } }

  func add(_ introspection: any _Introspection) {
    enabled.withLock { enabled in
      if !enabled.contains(where: { $0 === introspection }) { enabled.append(introspection) }
      isIntrospected.store(true, ordering: .relaxed)
    }
  }

  func remove(_ introspection: any _Introspection) {
    // The list is replaced, so that the old one is released outside the lock.
    let old = enabled.withLock { enabled in
      let old = enabled
      enabled = old.filter { $0 !== introspection }
      isIntrospected.store(!enabled.isEmpty, ordering: .relaxed)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Calls every introspection before and after an action; the set of introspections is the same for both.
  func around<Result>(
    will: (any _Introspection) -> Void, did: (any _Introspection, Result) -> Void, _ call: () -> Result
  ) -> Result {
    let current = current
    for introspection in current { will(introspection) }
    let result = call()
    for introspection in current { did(introspection, result) }
    return result
  }
}
