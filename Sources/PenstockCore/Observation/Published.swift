// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A property of a class that says when it is about to change, and to what.
///
/// `$property` is a publisher of the value. In an ``ObservableObject`` every set also makes the object's
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
/// A set tells the subscribers of the object, then those of the property, and then stores the value: while they are
/// told, the property has its old value. Every set counts, also of an equal value. A change in place, as
/// `object.values.append(1)`, is one read and one set.
///
/// <doc:State> has the details.
///
/// **Concurrency:** any thread may read and set, and no reader sees half a value; a change like `level += 1` is a read
/// and then a set, between which another thread may come. A set while another thread is telling the subscribers stores
/// at once, and that thread tells them.
///
/// That the property is `Sendable` says only that its own state is safe. What a plain `sink` captures runs on the
/// setter's thread; only a closure that belongs to an actor is guarded, at run time: see <doc:InPlaceOfCombine>.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline internal let storage: PublishedStorage<Value>

  /// Makes a property with a first value.
  ///
  /// The compiler calls this for `@Published var level = 1`.
  ///
  /// - Parameter wrappedValue: The first value.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(initialValue: wrappedValue)
  }

  /// Makes a property with a first value.
  ///
  /// - Parameter initialValue: The first value.
  @inlinable
  public init(initialValue: Value) {
    storage = PublishedStorage(initialValue)
  }

  /// The publisher of the property's value, which `$property` stands for.
  ///
  /// It is set only by `assign(to: &$property)`; what is assigned to it by hand is ignored.
  @inlinable
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    nonmutating set { _ = newValue }
  }

  /// Not to be used: a published property belongs to a class, whose instances reach it in another way.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { trap(.unavailable(what: "Published.wrappedValue", instead: "Declare the property in a class.")) }
    set { trap(.unavailable(what: "Published.wrappedValue", instead: "Declare the property in a class.")) }
  }

  /// The value of a property of an object, which the compiler reaches by this.
  ///
  /// - Parameters:
  ///   - object: The object that has the property.
  ///   - wrappedKeyPath: The property as its users see it.
  ///   - storageKeyPath: The property as it is stored.
  @inlinable
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      let storage = object[keyPath: storageKeyPath].storage
      if TabledPublishers.areHiding { TabledPublishers.install(for: object, in: storage) }
      storage.set(newValue)
    }
  }
}

extension Published {
  /// A publisher of the values of a published property.
  ///
  /// **Demand:** counted for each subscriber. The first request is answered with the value that is stored. A value that
  /// a subscriber has not asked for is skipped; its next request is answered with the latest one. `request(.none)`
  /// traps.
  ///
  /// **Completion:** never, not even when the object is freed. Its subscription keeps the value.
  ///
  /// **Concurrency:** subscribers are told on the setter's thread, one at a time; see ``Published``.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    @usableFromInline internal let storage: PublishedStorage<Value>

    @inlinable
    internal init(_ storage: PublishedStorage<Value>) {
      self.storage = storage
    }

    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.attach(subscriber.erased())
    }
  }
}

extension Published: PublishedProperty {
  internal var installed: ObservableObjectPublisher? { storage.installed }

  internal func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    storage.install(publisher)
  }
}

extension Published: Sendable where Value: Sendable {}

extension Published.Publisher: Sendable where Value: Sendable {}
