// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Observation
public import PenstockCore

/// An `ObservableObject` that can be read through observation, like an object with the `@Observable` macro.
///
/// Code that observes what it reads, with `withObservationTracking` or a framework on top of it, is notified of a
/// change of any property, since `objectWillChange` does not say which property changes.
///
/// ```swift
/// import Observation
///
/// final class Gauge: ObservableObject {
///   @Published var level = 0
/// }
/// let gauge = Gauge()
/// let observed = ObservedObject(gauge)
/// withObservationTracking {
///   print("level", observed.level)
/// } onChange: {
///   print("about to change")
/// }
/// gauge.level = 5
/// print("level", observed.level)
/// // Prints "level 0", "about to change", "level 5" on three lines.
/// ```
///
/// Observers are notified before the change, when `objectWillChange` is sent, as by the macro's own objects.
///
/// **Concurrency:** as for the object: this type adds no lock and no thread. It retains the object.
///
/// Use ``PenstockCore/Publishers/Observed`` for the opposite direction.
@dynamicMemberLookup
public final class ObservedObject<Object: ObservableObject>: Observable {
  /// The object.
  public var object: Object {
    registrar.access(self, keyPath: \.object)
    return stored
  }

  private let stored: Object
  private let registrar = ObservationRegistrar()
  private var subscription: AnyCancellable?

  /// Creates an object that notifies observers when another object is about to change.
  public init(_ object: Object) {
    stored = object
    subscription = object.objectWillChange.sink { [weak self] _ in
      guard let self else { return }
      registrar.willSet(self, keyPath: \.object)
    }
  }

  /// A property of the object.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Object, Value>) -> Value { object[keyPath: keyPath] }

  /// A property of the object.
  public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>) -> Value {
    get { object[keyPath: keyPath] }
    set { stored[keyPath: keyPath] = newValue }
  }
}
