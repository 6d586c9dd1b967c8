// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A property wrapper that publishes each new value of a property before storing it.
///
/// `$property` is a publisher of the value. In an ``ObservableObject``, setting the property also makes the object's
/// ``ObservableObject/objectWillChange`` send.
///
/// ```swift
/// final class Gauge {
///   @Published var level = 1
/// }
/// let gauge = Gauge()
/// let cancellable = gauge.$level.sink { print("was \(gauge.level), will be \($0)") }
/// gauge.level = 2
/// // Prints "was 1, will be 1", "was 1, will be 2" on two lines.
/// ```
///
/// Setting the property notifies the subscribers of the object, then those of the property, and then stores the value:
/// while they are notified, the property has its old value. Every set is published, even of an equal value. A change in
/// place, such as `object.values.append(1)`, is one read and one set.
///
/// <doc:State> has the details.
///
/// **Concurrency:** any thread may read and set the property, and no read returns a partly written value. A change such
/// as `level += 1` is a read and then a set; another thread may set the property in between. A set while another thread
/// is notifying the subscribers stores the value at once, and that thread notifies them.
///
/// `Sendable` covers the property's own state only. A closure passed to `sink` runs on the setter's thread, and only an
/// actor-isolated closure is checked, at run time: see <doc:InPlaceOfCombine>.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline internal let storage: PublishedStorage<Value>

  /// Creates a published property with an initial value.
  ///
  /// The compiler calls this for `@Published var level = 1`.
  ///
  /// - Parameter wrappedValue: The initial value.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(initialValue: wrappedValue)
  }

  /// Creates a published property with an initial value.
  ///
  /// - Parameter initialValue: The initial value.
  @inlinable
  public init(initialValue: Value) {
    storage = PublishedStorage(initialValue)
  }

  /// The publisher of the property's value, written as `$property`.
  ///
  /// Only `assign(to: &$property)` sets it; any other assignment is ignored.
  @inlinable
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    nonmutating set { _ = newValue }
  }

  /// Not available: a published property belongs to a class, and is accessed through an instance of it.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { trap(.unavailable(what: "Published.wrappedValue", instead: "Declare the property in a class.")) }
    set { trap(.unavailable(what: "Published.wrappedValue", instead: "Declare the property in a class.")) }
  }

  /// The value of a published property of an object, as the compiler accesses it.
  ///
  /// - Parameters:
  ///   - object: The object that has the property.
  ///   - wrappedKeyPath: The key path of the property.
  ///   - storageKeyPath: The key path of the property's storage.
  @inlinable
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      let storage = object[keyPath: storageKeyPath].storage
      if PublisherRegistry.areHiding { PublisherRegistry.shared.install(for: object, in: storage) }
      storage.set(newValue)
    }
  }
}

extension Published {
  /// A publisher of the values of a published property.
  ///
  /// **Demand:** counted for each subscriber. The first request delivers the stored value. A value that a subscriber
  /// has not requested is skipped; its next request delivers the latest one. `request(.none)` traps.
  ///
  /// **Completion:** never, not even when the object is deallocated. A subscription keeps the value alive.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** subscribers are notified on the setter's thread, one at a time; see ``Published``.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    @usableFromInline internal let storage: PublishedStorage<Value>

    @_alwaysEmitIntoClient
    internal init(_ storage: PublishedStorage<Value>) {
      self.storage = storage
    }

    /// The property's value.
    package var value: Value { storage.value }

    @_alwaysEmitIntoClient
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public static var _offer: _Offer { .chain }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Value, Target.Failure == Never {
      storage.fanOut.fuse(self, into: target, of: storage)
    }
  }
}

extension Published: PublishedProperty {
  package var installed: ObservableObjectPublisher? { storage.installed }

  package func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    storage.install(publisher)
  }
}

extension Published: Sendable where Value: Sendable {}

extension Published.Publisher: Sendable where Value: Sendable {}
