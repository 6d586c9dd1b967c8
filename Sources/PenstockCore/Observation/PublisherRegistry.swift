// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

#if canImport(ObjectiveC)
  internal import ObjectiveC
#endif

/// The publishers of the objects whose `objectWillChange` has been used.
///
/// Usually an object's published properties keep its publisher. The registry only finds it faster than a mirror does,
/// and references it weakly. Where a mirror cannot find the properties, the registry keeps the publisher: the object
/// has none, or the class is `CustomReflectable`, so that its mirror may not contain them. A property that such a
/// mirror hides gets its object's publisher when it is set.
@usableFromInline
package final class PublisherRegistry: Sendable {
  private struct WeakPublisher: Sendable {
    let reference: WeakReference<ObservableObjectPublisher>
    /// Identifies the publisher even when the weak reference to it is `nil` already.
    let identity: ObjectIdentifier

    init(_ publisher: ObservableObjectPublisher) {
      reference = WeakReference(publisher)
      identity = ObjectIdentifier(publisher)
    }
  }

  /// The location of a publisher's entry: the address of its object, or zero.
  ///
  /// Changed under the lock of the table.
  internal struct Place: ~Copyable, Sendable {
    fileprivate let address = AtomicCell<UInt>(0)

    internal init() {}
  }

  /// The instance for all objects.
  @usableFromInline package static let shared = PublisherRegistry()

  /// An entry is removed when the publisher, or a property that notifies it, is freed: such a property may have been
  /// replaced by another one.
  private let known = ObjectTable<WeakPublisher>()
  /// The table contains no object whose class declares a publisher of its own.
  private let kept = ObjectTable<ObservableObjectPublisher>()
  @usableFromInline internal static let someHide = AtomicCell<Bool>(false)

  package init() {}

  /// The number of publishers that can be found and are not kept.
  package var count: Int { known.count }

  // MARK: Publishers that are found

  /// The publisher of an object, if it has been remembered.
  package func publisher(of object: AnyObject) -> ObservableObjectPublisher? {
    known.read(of: object) { $0.reference.object }
  }

  /// Remembers the publisher of an object, unless it is remembered for an object already.
  package func remember(_ publisher: ObservableObjectPublisher, of object: AnyObject) {
    #if canImport(ObjectiveC)
      // The Objective-C runtime stops the program at a weak reference to an object that is being freed.
      if object is NSObject { return }
    #endif
    known.set(WeakPublisher(publisher), of: object) {
      guard publisher.place.address.load(ordering: .relaxed) == 0 else { return false }
      publisher.place.address.store(ObjectTable<WeakPublisher>.address(of: object), ordering: .relaxed)
      return true
    }
  }

  /// Forgets a publisher.
  package func forget(_ publisher: ObservableObjectPublisher) {
    // Most publishers have no entry.
    if publisher.place.address.load(ordering: .relaxed) == 0 { return }
    let identity = ObjectIdentifier(publisher)
    known.remove(at: { publisher.place.address.exchange(0, ordering: .relaxed) }, if: { $0.identity == identity })
  }

  // MARK: Publishers that are kept

  /// Whether any object may have hidden properties; one relaxed load.
  @_alwaysEmitIntoClient
  package static var areHiding: Bool { someHide.load(ordering: .relaxed) }

  /// The publisher that is kept for an object, created on first use.
  ///
  /// - Parameter isHiding: Whether the object may have published properties that its mirror does not contain.
  package func keptPublisher(of object: AnyObject, isHiding: Bool) -> ObservableObjectPublisher {
    let publisher = kept.companion(of: object) { ObservableObjectPublisher() }
    if isHiding { Self.someHide.store(true, ordering: .relaxed) }
    return publisher
  }

  /// Installs the publisher that is kept for an object, if there is one, in a property that is about to be set.
  @usableFromInline
  package func install<Value>(for object: AnyObject, in storage: PublishedStorage<Value>) {
    guard storage.installed == nil, let publisher = kept.companion(of: object) else { return }
    _ = storage.install(publisher)
  }
}
