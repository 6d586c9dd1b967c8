// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

#if canImport(ObjectiveC)
  internal import ObjectiveC
#endif

/// The publishers of the objects that have been asked for theirs, to be found without a mirror.
///
/// Objects are found by their address. Both the object and its publisher are referred to weakly, and an entry counts only
/// if it still refers to the very object: its address may be used again. An entry goes when the publisher is freed, or
/// one of the properties that tell it, which may have been replaced.
package final class KnownPublishers: Sendable {
  /// A class, since a copy of weak references costs more than all the rest.
  private final class Entry {
    weak let object: AnyObject?
    weak let publisher: ObservableObjectPublisher?
    /// Tells the publisher when the reference to it is `nil` already.
    let identity: ObjectIdentifier

    init(_ object: AnyObject, _ publisher: ObservableObjectPublisher) {
      self.object = object
      self.publisher = publisher
      identity = ObjectIdentifier(publisher)
    }
  }

  /// Where a publisher has its entry: the address of its object, or zero.
  ///
  /// It changes under the lock.
  internal struct Place: ~Copyable, Sendable {
    fileprivate let address = Atomic<UInt>(0)

    internal init() {}
  }

  /// The one for all objects.
  package static let shared = KnownPublishers()

  private let entries = Guarded<[UInt: Entry]>([:])

  package init() {}

  /// The number of entries.
  package var count: Int { entries.withLock { $0.count } }

  /// The publisher of an object, if that has an entry.
  package func publisher(of object: AnyObject) -> ObservableObjectPublisher? {
    entries.withLock { entries in
      // The caller keeps the object, so the reference that is made here is not the last one.
      guard let entry = entries[UInt(bitPattern: ObjectIdentifier(object))], entry.object === object else { return nil }
      return entry.publisher
    }
  }

  /// Remembers the publisher of an object, unless it is remembered for an object already.
  package func remember(_ publisher: ObservableObjectPublisher, of object: AnyObject) {
    #if canImport(ObjectiveC)
      // One that is being freed must not be referred to weakly: the runtime stops the program.
      if object is NSObject { return }
    #endif
    let address = UInt(bitPattern: ObjectIdentifier(object))
    let entry = Entry(object, publisher)
    let earlier = entries.withLock { entries -> Entry? in
      guard publisher.place.address.load(ordering: .relaxed) == 0 else { return nil }
      publisher.place.address.store(address, ordering: .relaxed)
      return entries.updateValue(entry, forKey: address)
    }
    withExtendedLifetime(earlier) {}
  }

  /// Forgets the object of a publisher.
  package func forget(_ publisher: ObservableObjectPublisher) {
    // Most publishers have no entry, or none any more.
    if publisher.place.address.load(ordering: .relaxed) == 0 { return }
    let identity = ObjectIdentifier(publisher)
    let entry = entries.withLock { entries -> Entry? in
      let address = publisher.place.address.exchange(0, ordering: .relaxed)
      // Another object may have come to that address, and have an entry of its own.
      return entries[address]?.identity == identity ? entries.removeValue(forKey: address) : nil
    }
    withExtendedLifetime(entry) {}
  }
}
