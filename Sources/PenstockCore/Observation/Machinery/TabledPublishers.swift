// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The publishers of objects whose published properties cannot be found in a mirror: there are none, or the class is
/// `CustomReflectable`, so that its mirror may not contain them.
///
/// A property that such a mirror hides gets its object's publisher when it is set.
@usableFromInline
package enum TabledPublishers: Sendable {
  private static let publishers = ObjectTable<ObservableObjectPublisher>()

  @usableFromInline internal static let someHide = AtomicCell<Bool>(false)

  /// Whether any object may have hidden properties; one relaxed load.
  @inlinable
  package static var areHiding: Bool { someHide.load(ordering: .relaxed) }

  /// The publisher of an object.
  ///
  /// - Parameter isHiding: Whether the object may have published properties that its mirror does not contain.
  package static func publisher(of object: AnyObject, isHiding: Bool) -> ObservableObjectPublisher {
    let publisher = publishers.companion(of: object) { ObservableObjectPublisher() }
    if isHiding { someHide.store(true, ordering: .relaxed) }
    return publisher
  }

  /// Installs the publisher of the object in a property that is about to be set, if the table contains one.
  ///
  /// The table contains no object whose class declares a publisher of its own.
  @usableFromInline
  package static func install<Value>(for object: AnyObject, in storage: PublishedStorage<Value>) {
    guard storage.installed == nil, let publisher = publishers.companion(of: object) else { return }
    _ = storage.install(publisher)
  }
}
