// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

#if canImport(ObjectiveC)
  internal import ObjectiveC
#endif

/// The publishers of objects whose `objectWillChange` has been used, to be found without a mirror.
///
/// Objects are keyed by address. Object and publisher are referenced weakly. An address may be reused, so an entry is
/// valid only if it still references the same object. An entry is removed when the publisher is freed, or a property
/// that notifies it: such a property may have been replaced by another one.
package final class KnownPublishers: Sendable {
  /// A class, because copying weak references costs more than everything else here.
  private final class Entry {
    weak let object: AnyObject?
    weak let publisher: ObservableObjectPublisher?
    /// Identifies the publisher even when the weak reference to it is `nil` already.
    let identity: ObjectIdentifier

    init(_ object: AnyObject, _ publisher: ObservableObjectPublisher) {
      self.object = object
      self.publisher = publisher
      identity = ObjectIdentifier(publisher)
    }
  }

  /// The location of a publisher's entry: the address of its object, or zero.
  ///
  /// Changed under the lock.
  internal struct Place: ~Copyable, Sendable {
    fileprivate let address = AtomicCell<UInt>(0)

    internal init() {}
  }

  /// The instance for all objects.
  package static let shared = KnownPublishers()

  private let entries = Guarded<[UInt: Entry]>([:])

  package init() {}

  /// The number of entries.
  package var count: Int { entries.withLock { $0.count } }

  /// The publisher of an object, if there is an entry for it.
  package func publisher(of object: AnyObject) -> ObservableObjectPublisher? {
    entries.withLock { entries in
      // The caller keeps the object alive, so the reference that is made here is not the last one.
      guard let entry = entries[UInt(bitPattern: ObjectIdentifier(object))], entry.object === object else { return nil }
      return entry.publisher
    }
  }

  /// Stores the publisher of an object, unless it is stored for an object already.
  package func remember(_ publisher: ObservableObjectPublisher, of object: AnyObject) {
    #if canImport(ObjectiveC)
      // The Objective-C runtime stops the program at a weak reference to an object that is being freed.
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

  /// Removes the entry of a publisher.
  package func forget(_ publisher: ObservableObjectPublisher) {
    // Most publishers have no entry.
    if publisher.place.address.load(ordering: .relaxed) == 0 { return }
    let identity = ObjectIdentifier(publisher)
    let entry = entries.withLock { entries -> Entry? in
      let address = publisher.place.address.exchange(0, ordering: .relaxed)
      // Another object may have been allocated at that address, and have an entry of its own.
      return entries[address]?.identity == identity ? entries.removeValue(forKey: address) : nil
    }
    withExtendedLifetime(entry) {}
  }
}
