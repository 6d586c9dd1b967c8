// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber whose type has been forgotten.
///
/// Use it to keep subscribers of different types in one place, or to make one from closures.
///
/// ```swift
/// let subscriber = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(2)) },
///   receiveValue: { value in print(value); return .none })
/// [1, 2, 3].publisher.subscribe(subscriber)
/// // Prints "1", "2" on two lines.
/// ```
///
/// **Demand:** the wrapped subscriber's own, passed on unchanged.
///
/// **Concurrency:** calls are forwarded as they come, on the caller's thread, with no checks.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline
  internal let box: ErasedSubscriber

  @inlinable
  internal init(box: ErasedSubscriber) {
    self.box = box
  }

  /// Wraps a subscriber.
  ///
  /// One that is wrapped already is not wrapped again.
  ///
  /// - Parameter s: The subscriber.
  @inlinable
  public init<S: Subscriber>(_ s: S) where Input == S.Input, Failure == S.Failure {
    box = s.erased()
  }

  /// Makes a subscriber that sends what it receives into a subject.
  ///
  /// - Parameter s: The subject, which decides how much to ask for.
  @inlinable
  public init<S: Subject>(_ s: S) where Input == S.Output, Failure == S.Failure {
    box = SubjectSubscriber(s).erased()
  }

  /// Makes a subscriber from closures.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription; without it nothing is ever requested.
  ///   - receiveValue: Called with each value; returns how many more are wanted. Without it, none.
  ///   - receiveCompletion: Called with the completion.
  @inlinable
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    box = ClosureSubscriber(receiveSubscription, receiveValue, receiveCompletion).erased()
  }

  /// The wrapped subscriber's identity.
  public var combineIdentifier: CombineIdentifier {
    box.facet(box, .identifier) as! CombineIdentifier
  }

  @inlinable
  public func receive(subscription: any Subscription) {
    box.receive(subscription: subscription)
  }

  @inlinable
  public func receive(_ input: Input) -> Subscribers.Demand {
    box.receive(input)
  }

  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) {
    box.receive(completion: completion)
  }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// The wrapped subscriber's description.
  public var description: String { box.facet(box, .description) as! String }

  /// The wrapped subscriber's mirror.
  public var customMirror: Mirror { box.facet(box, .mirror) as! Mirror }

  /// What a playground shows for the wrapped subscriber.
  public var playgroundDescription: Any { box.facet(box, .playground) }
}

/// The subscriber that ``AnySubscriber/init(receiveSubscription:receiveValue:receiveCompletion:)`` makes from closures.
@usableFromInline
internal struct ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable {
  @usableFromInline internal let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline internal let receiveValue: ((Input) -> Subscribers.Demand)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline internal let combineIdentifier = CombineIdentifier()

  @inlinable
  internal init(
    _ receiveSubscription: ((any Subscription) -> Void)?,
    _ receiveValue: ((Input) -> Subscribers.Demand)?,
    _ receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  @inlinable
  internal func receive(subscription: any Subscription) { receiveSubscription?(subscription) }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  @usableFromInline
  internal var description: String { "Anonymous AnySubscriber" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(reflecting: description) }
}
