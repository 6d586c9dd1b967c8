// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object whose deinitialisation a test observes.
public final class Canary: @unchecked Sendable {
  public init() {}
}

/// Weak references to a test's objects, to find out which are still in memory.
public struct Graveyard {
  private var watched: [(name: String, object: () -> AnyObject?)] = []

  public init() {}

  /// Watches an object, and returns it.
  public mutating func watch<Object: AnyObject>(_ object: Object, _ name: String? = nil) -> Object {
    weak let weakObject = object
    watched.append((name ?? String(describing: Object.self), { weakObject }))
    return object
  }

  /// The names of the objects that are still alive.
  public var survivors: [String] {
    watched.filter { $0.object() != nil }.map(\.name)
  }
}
