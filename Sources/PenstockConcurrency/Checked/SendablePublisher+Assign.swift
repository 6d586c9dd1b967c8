// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher where Base.Failure == Never {
  /// Assigns each value to a property of a Sendable object.
  ///
  /// As `Publisher.assign(to:on:)`, but that the object and the key path have to be Sendable. So a property of an actor,
  /// the main actor included, is rejected, and a class answers by its own `Sendable` for what it lets any thread do.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** releases the object.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the property is set on the thread that delivers.
  ///
  /// The object stays in memory until the completion or the cancel.
  ///
  /// - Parameters:
  ///   - keyPath: The property, by a key path that is Sendable.
  ///   - object: The object, which is Sendable.
  /// - Returns: What keeps the subscription until it is cancelled or released.
  @inlinable
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    base.assign(to: keyPath, on: object)
  }

  /// Assigns each value to a published property, for as long as the property exists; as `Publisher.assign(to:)`.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** ends the assignment, and leaves the property as it is.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the property is set on the thread that delivers, and its subscribers are told there. It has a lock,
  /// so that isn't a data race. Code that expects the property to change on one thread only puts `receive(on:)` before.
  ///
  /// - Parameter published: The property's publisher, such as `&$level`.
  @inlinable
  public func assign(to published: inout Published<Output>.Publisher) {
    base.assign(to: &published)
  }

  /// Assigns each value to a property of a Sendable object, which it keeps alive or not.
  ///
  /// As `Publisher.assign(to:on:ownership:)`, but that the object and the key path have to be Sendable.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:)``.
  @inlinable
  public func assign<Root: AnyObject & Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    base.assign(to: keyPath, on: object, ownership: ownership)
  }

  /// Assigns each value to properties of two Sendable objects; as the plain operator of the same name.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:)``.
  @inlinable
  public func assign<Root1: AnyObject & Sendable, Root2: AnyObject & Sendable>(
    to keyPath1: any ReferenceWritableKeyPath<Root1, Output> & Sendable, on object1: Root1,
    and keyPath2: any ReferenceWritableKeyPath<Root2, Output> & Sendable, on object2: Root2,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    base.assign(to: keyPath1, on: object1, and: keyPath2, on: object2, ownership: ownership)
  }

  /// Assigns each value to properties of three Sendable objects; as the plain operator of the same name.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:)``.
  @inlinable
  public func assign<Root1: AnyObject & Sendable, Root2: AnyObject & Sendable, Root3: AnyObject & Sendable>(
    to keyPath1: any ReferenceWritableKeyPath<Root1, Output> & Sendable, on object1: Root1,
    and keyPath2: any ReferenceWritableKeyPath<Root2, Output> & Sendable, on object2: Root2,
    and keyPath3: any ReferenceWritableKeyPath<Root3, Output> & Sendable, on object3: Root3,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    base.assign(
      to: keyPath1, on: object1, and: keyPath2, on: object2, and: keyPath3, on: object3, ownership: ownership)
  }
}
