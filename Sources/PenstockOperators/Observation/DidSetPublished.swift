// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A property wrapper that publishes each new value of a property after storing it.
///
/// It is the sibling of `Published`, which publishes a value before storing it: here, a subscriber that reads the
/// property, or calls a method that does, finds the new value. `$property` is a publisher of the value.
///
/// ```swift
/// final class Gauge {
///   @DidSetPublished var level = 1
/// }
/// let gauge = Gauge()
/// let cancellable = gauge.$level.sink { print("is \(gauge.level), got \($0)") }
/// gauge.level = 2
/// // Prints "is 1, got 1", "is 2, got 2" on two lines.
/// ```
///
/// In an `ObservableObject`, setting the property makes the object's `objectWillChange` send before the value is
/// stored, as its name says. So the subscribers of the object are notified first, then the value is stored, and then
/// those of the property are notified. Every set is published, even of an equal value. A change in place, such as
/// `object.values.append(1)`, is one read and one set.
///
/// **Concurrency:** any thread may read and set the property, and no read returns a partly written value. A change such
/// as `level += 1` is a read and then a set; another thread may set the property in between. A set while another thread
/// is notifying the subscribers stores the value at once, and that thread notifies them. `Sendable` covers the
/// property's own state only.
///
/// Use `Published` where subscribers compare the new value with the old one, or where `assign(to:)` sets the property.
@propertyWrapper
public struct DidSetPublished<Value> {
  @usableFromInline internal let storage: PublishedStorage<Value>

  /// Creates a published property with an initial value.
  ///
  /// The compiler calls this for `@DidSetPublished var level = 1`.
  ///
  /// - Parameter wrappedValue: The initial value.
  @_alwaysEmitIntoClient
  public init(wrappedValue: Value) {
    storage = PublishedStorage(wrappedValue)
  }

  /// The publisher of the property's value, written as `$property`.
  @_alwaysEmitIntoClient
  public var projectedValue: Publisher { Publisher(storage) }

  /// Not available: a published property belongs to a class, and is accessed through an instance of it.
  @available(*, unavailable, message: "@DidSetPublished is only available on properties of classes")
  public var wrappedValue: Value {
    get { trap(.unavailable(what: "DidSetPublished.wrappedValue", instead: "Declare the property in a class.")) }
    set { trap(.unavailable(what: "DidSetPublished.wrappedValue", instead: "Declare the property in a class.")) }
  }

  /// The value of a published property of an object, as the compiler accesses it.
  ///
  /// - Parameters:
  ///   - object: The object that has the property.
  ///   - wrappedKeyPath: The key path of the property.
  ///   - storageKeyPath: The key path of the property's storage.
  @_alwaysEmitIntoClient
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, DidSetPublished<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      let storage = object[keyPath: storageKeyPath].storage
      if PublisherRegistry.areHiding { PublisherRegistry.shared.install(for: object, in: storage) }
      storage.setFirst(newValue)
    }
  }
}

extension DidSetPublished {
  /// A publisher of the values of a property that is published after it has been set.
  ///
  /// **Demand:** counted for each subscriber. The first request delivers the stored value. A value that a subscriber
  /// has not requested is skipped; its next request delivers the latest one. `request(.none)` traps.
  ///
  /// **Completion:** never, not even when the object is deallocated. A subscription keeps the value alive.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** subscribers are notified on the setter's thread, one at a time; see ``DidSetPublished``.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    @usableFromInline internal let storage: PublishedStorage<Value>

    @inlinable
    internal init(_ storage: PublishedStorage<Value>) {
      self.storage = storage
    }

    @_alwaysEmitIntoClient
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.attach(subscriber)
    }
  }
}

extension DidSetPublished: PublishedProperty {
  package var installed: ObservableObjectPublisher? { storage.installed }

  package func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    storage.install(publisher)
  }
}

extension DidSetPublished: Sendable where Value: Sendable {}

extension DidSetPublished.Publisher: Sendable where Value: Sendable {}
