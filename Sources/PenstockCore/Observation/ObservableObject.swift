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
    if let known = KnownPublishers.shared.publisher(of: self) { return known }
    let publisher = commonPublisher(of: self)
    KnownPublishers.shared.remember(publisher, of: self)
    return publisher
  }
}

/// A stored property that tells the publisher of its object.
internal protocol PublishedProperty {
  /// The publisher that the property tells, if it has been given one.
  var installed: ObservableObjectPublisher? { get }

  /// Gives the property a publisher to tell, if it has none.
  ///
  /// - Returns: The publisher that it tells from now on.
  func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher
}

/// The publisher that all published properties of an object tell, installed now where there is none.
///
/// Two threads may come at the same moment. Both walk through the properties in the same order, so the publisher that
/// wins in the first property is the one for both. A property that has been made anew since gets the one of the others.
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
  // A mirror of the class's own shows what the class likes.
  let isHiding = object is any CustomReflectable
  let publisher =
    if let installed { installed } else if let first = properties.first, !isHiding {
      first.install(ObservableObjectPublisher())
    } else {
      TabledPublishers.publisher(of: object, isHiding: isHiding)
    }
  for property in properties { _ = property.install(publisher) }
  return publisher
}
