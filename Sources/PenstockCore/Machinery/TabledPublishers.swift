// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The publishers of objects whose published properties cannot be found: because there are none, or because the class
/// has a mirror of its own, which need not show them.
///
/// Such a hidden property is given its object's publisher when it is set.
@usableFromInline
package enum TabledPublishers: Sendable {
  private static let publishers = ObjectTable<ObservableObjectPublisher>()

  @usableFromInline internal static let someHide = Atomic<Bool>(false)

  /// Whether any object may have hidden properties: one relaxed load.
  @inlinable
  package static var areHiding: Bool { someHide.load(ordering: .relaxed) }

  /// The publisher of an object.
  ///
  /// - Parameter isHiding: Whether the object may have published properties that are not in its mirror.
  package static func publisher(of object: AnyObject, isHiding: Bool) -> ObservableObjectPublisher {
    let publisher = publishers.companion(of: object) { ObservableObjectPublisher() }
    if isHiding { someHide.store(true, ordering: .relaxed) }
    return publisher
  }

  /// Gives a property that is about to be set the publisher of its object, if that has one in the table.
  ///
  /// A class that declares a publisher of its own is not in the table.
  @usableFromInline
  package static func install<Value>(for object: AnyObject, in storage: PublishedStorage<Value>) {
    guard storage.installed == nil, let publisher = publishers.companion(of: object) else { return }
    _ = storage.install(publisher)
  }
}
