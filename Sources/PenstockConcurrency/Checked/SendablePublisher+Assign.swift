// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher where Base.Failure == Never {
  /// Assigns each value to a property of a Sendable object.
  ///
  /// It works as `Publisher.assign(to:on:)`, except that the object and the key path have to be Sendable. So a property
  /// of an actor, including the main actor, is rejected, and a class answers with its own `Sendable` for what any
  /// thread may do with it.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** releases the object.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the property is set on the thread that delivers.
  ///
  /// The object stays in memory until the completion or a cancel.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property, which is Sendable.
  ///   - object: The object, which is Sendable.
  /// - Returns: A cancellable, which keeps the subscription until it is cancelled or released.
  @inlinable
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    base.assign(to: keyPath, on: object)
  }

  /// Assigns each value to a published property, for as long as the property exists, as `Publisher.assign(to:)` does.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** ends the assignment, and leaves the property as it is.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the property is set, and its subscribers are notified, on the thread that delivers. It has a
  /// lock, so this isn't a data race. If your code expects the property to change on only one thread, put
  /// `receive(on:)` before this method.
  ///
  /// - Parameter published: The property's publisher, such as `&$level`.
  @inlinable
  public func assign(to published: inout Published<Output>.Publisher) {
    base.assign(to: &published)
  }

  /// Assigns each value to a property of a Sendable object, with a choice of whether to keep the object alive.
  ///
  /// It works as `Publisher.assign(to:on:ownership:)`, except that the object and the key path have to be Sendable.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``assign(to:on:)``.
  @inlinable
  public func assign<Root: AnyObject & Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    base.assign(to: keyPath, on: object, ownership: ownership)
  }

  /// Assigns each value to properties of two Sendable objects, as the plain operator of the same name does.
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

  /// Assigns each value to properties of three Sendable objects, as the plain operator of the same name does.
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
