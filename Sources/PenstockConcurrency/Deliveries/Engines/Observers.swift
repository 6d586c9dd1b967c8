// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Objects that are told about the events of a connection, as long as they live.
package final class Observers<Event: Sendable>: Sendable {
  private let closures = Guarded<[ObjectIdentifier: @Sendable (Event) -> Void]>([:])

  package init() {}

  /// Adds an object, which is not told about earlier events.
  package func add<Object: AnyObject & Sendable>(
    _ object: Object, _ body: @escaping @Sendable (Object, Event) -> Void
  ) {
    let closure: @Sendable (Event) -> Void = { [weak object] event in
      if let object { body(object, event) }
    }
    closures.withLock { $0[ObjectIdentifier(object)] = closure }
  }

  /// Removes an object; also called by its `deinit`.
  package func remove(_ object: AnyObject) {
    let id = ObjectIdentifier(object)
    _ = closures.withLock { $0.removeValue(forKey: id) }
  }

  package func tell(_ event: Event) {
    for closure in closures.withLock({ Array($0.values) }) { closure(event) }
  }
}
