// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object, with a choice of whether to keep the object alive.
  ///
  /// An object that stores the cancellable of an assignment to itself forms a reference cycle with `assign(to:on:)`,
  /// but not with `.weak` or `.unowned`.
  ///
  /// ```swift
  /// final class Gauge {
  ///   var level = 0
  ///   var cancellable: AnyCancellable?
  ///   deinit { print("released at", level) }
  /// }
  /// let levels = PassthroughSubject<Int, Never>()
  /// var gauge: Gauge? = Gauge()
  /// gauge!.cancellable = levels.assign(to: \.level, on: gauge!, ownership: .weak)
  /// levels.send(2)
  /// gauge = nil
  /// // Prints "released at 2".
  /// ```
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** releases an object that is kept alive.
  ///
  /// **Failure:** none; only a publisher that cannot fail can be assigned.
  ///
  /// **Concurrency:** the property is set on the thread that delivers the value, one value at a time.
  ///
  /// **Traps:** with `.unowned`, a value after the end of the object.
  ///
  /// Use ``withUnretained(_:)`` to end the stream with the object, and `assign(to:)` for a published property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property to set.
  ///   - object: The object that has the property.
  ///   - ownership: How the assignment refers to the object.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func assign<Root: AnyObject>(
    to keyPath: consuming ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    guard ownership == .weak else { return sink(receiveValue: ownership.setter(of: keyPath, on: object)) }
    let assignment = WeakAssignment(KeyPathWriter<Root, Output>(keyPath), on: object)
    subscribe(assignment)
    return AnyCancellable(assignment)
  }

  /// Assigns each value to properties of two objects.
  ///
  /// It works as ``assign(to:on:ownership:)``; the first object's property is set first.
  ///
  /// ```swift
  /// final class Label {
  ///   var text = ""
  /// }
  /// let (title, footer) = (Label(), Label())
  /// let cancellable = Just("sluice").assign(to: \.text, on: title, and: \.text, on: footer)
  /// print(title.text, footer.text)
  /// // Prints "sluice sluice".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:ownership:)``.
  ///
  /// - Parameters:
  ///   - keyPath1: The key path of the property of the first object.
  ///   - object1: The first object.
  ///   - keyPath2: The key path of the property of the second object.
  ///   - object2: The second object.
  ///   - ownership: How the assignment refers to the objects.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func assign<Root1: AnyObject, Root2: AnyObject>(
    to keyPath1: consuming ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: consuming ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    let first = ownership.setter(of: keyPath1, on: object1)
    let second = ownership.setter(of: keyPath2, on: object2)
    return sink {
      first($0)
      second($0)
    }
  }

  /// Assigns each value to properties of three objects.
  ///
  /// It works as ``assign(to:on:ownership:)``; the properties are set in the order of the arguments.
  ///
  /// ```swift
  /// final class Label {
  ///   var text = ""
  /// }
  /// let labels = [Label(), Label(), Label()]
  /// let cancellable = Just("gate")
  ///   .assign(to: \.text, on: labels[0], and: \.text, on: labels[1], and: \.text, on: labels[2])
  /// print(labels.map(\.text).joined(separator: " "))
  /// // Prints "gate gate gate".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:ownership:)``.
  ///
  /// - Parameters:
  ///   - keyPath1: The key path of the property of the first object.
  ///   - object1: The first object.
  ///   - keyPath2: The key path of the property of the second object.
  ///   - object2: The second object.
  ///   - keyPath3: The key path of the property of the third object.
  ///   - object3: The third object.
  ///   - ownership: How the assignment refers to the objects.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func assign<Root1: AnyObject, Root2: AnyObject, Root3: AnyObject>(
    to keyPath1: consuming ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: consuming ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    and keyPath3: consuming ReferenceWritableKeyPath<Root3, Output>, on object3: Root3,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    let first = ownership.setter(of: keyPath1, on: object1)
    let second = ownership.setter(of: keyPath2, on: object2)
    let third = ownership.setter(of: keyPath3, on: object3)
    return sink {
      first($0)
      second($0)
      third($0)
    }
  }
}
