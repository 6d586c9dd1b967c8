// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type of object with a publisher that sends before the object changes.
///
/// A class that conforms, and declares nothing else, gets an ``objectWillChange`` that sends before any of its
/// ``Published`` properties changes, inherited ones included.
///
/// ```swift
/// final class Gauge: ObservableObject {
///   @Published var level = 0
///   @Published var name = "penstock"
/// }
/// let gauge = Gauge()
/// let cancellable = gauge.objectWillChange.sink { print("was \(gauge.level)") }
/// gauge.level = 5
/// // Prints "was 0"
/// ```
///
/// A class that declares its own `objectWillChange` must call `send()` itself: its published properties do not.
///
/// **Concurrency:** the first access to a synthesised ``objectWillChange`` reads all stored properties of the object,
/// so no other thread may change an unpublished one meanwhile. Later accesses, and sending, may happen on any thread.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that sends before the object changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// A publisher that sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before one of the object's published properties changes.
  ///
  /// It is the same object on each access.
  public var objectWillChange: ObservableObjectPublisher {
    if let known = PublisherRegistry.shared.publisher(of: self) { return known }
    let publisher = commonPublisher(of: self)
    PublisherRegistry.shared.remember(publisher, of: self)
    return publisher
  }
}

/// A stored property that notifies the publisher of its object.
package protocol PublishedProperty {
  /// The publisher that the property notifies, if one has been installed.
  var installed: ObservableObjectPublisher? { get }

  /// Installs the publisher that the property notifies, unless one is installed.
  ///
  /// - Returns: The publisher that the property notifies from now on.
  func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher
}

/// The publisher that all published properties of an object notify; installed where there is none.
///
/// Two threads may call this at the same moment. Both visit the properties in the same order, so the publisher that is
/// installed in the first property is the one for both. A property that has been replaced since gets the publisher of
/// the others.
private func commonPublisher(of object: AnyObject) -> ObservableObjectPublisher {
  var properties: [any PublishedProperty] = []
  var installed: ObservableObjectPublisher?
  var mirror: Mirror? = Mirror(reflecting: object)
  while let level = mirror {
    for child in level.children {
      guard let property = child.value as? any PublishedProperty else { continue }
      installed = installed ?? property.installed
      properties.append(property)
    }
    mirror = level.superclassMirror
  }
  // A `CustomReflectable` class decides itself what its mirror shows, so properties may be hidden.
  let isHiding = object is any CustomReflectable
  let publisher =
    if let installed { installed } else if let first = properties.first, !isHiding {
      first.install(ObservableObjectPublisher())
    } else {
      PublisherRegistry.shared.keptPublisher(of: object, isHiding: isHiding)
    }
  for property in properties { _ = property.install(publisher) }
  return publisher
}
