// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type-erased subscriber.
///
/// Use it to store subscribers of different types together, or to create a subscriber from closures.
///
/// ```swift
/// let subscriber = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(2)) },
///   receiveValue: { value in print(value); return .none })
/// [1, 2, 3].publisher.subscribe(subscriber)
/// // Prints "1", "2" on two lines.
/// ```
///
/// **Demand:** that of the wrapped subscriber, passed on unchanged.
///
/// **Concurrency:** calls are forwarded at once, on the caller's thread, without checks.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline
  internal let box: ErasedSubscriber

  @_alwaysEmitIntoClient
  internal init(box: ErasedSubscriber) {
    self.box = box
  }

  /// Creates a type-erased subscriber.
  ///
  /// If it is type-erased already, it is not wrapped again.
  ///
  /// - Parameter s: The subscriber to wrap.
  @inlinable
  public init<S: Subscriber>(_ s: S) where Input == S.Input, Failure == S.Failure {
    box = s.erased()
  }

  /// Creates a subscriber that sends the events it receives into a subject.
  ///
  /// - Parameter s: The subject, which decides how many values to request.
  @inlinable
  public init<S: Subject>(_ s: S) where Input == S.Output, Failure == S.Failure {
    box = SubjectSubscriber(s).erased()
  }

  /// Creates a subscriber from closures.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription; if `nil`, no value is ever requested.
  ///   - receiveValue: Called with each value; returns the number of further values to request. If `nil`, none.
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
    box.property(.identifier) as! CombineIdentifier
  }

  @_alwaysEmitIntoClient
  public func receive(subscription: any Subscription) {
    box.receive(subscription: subscription)
  }

  @_alwaysEmitIntoClient
  public func receive(_ input: Input) -> Subscribers.Demand {
    box.receive(input)
  }

  @_alwaysEmitIntoClient
  public func receive(completion: Subscribers.Completion<Failure>) {
    box.receive(completion: completion)
  }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// The wrapped subscriber's description.
  public var description: String { box.property(.description) as! String }

  /// The wrapped subscriber's mirror.
  public var customMirror: Mirror { box.property(.mirror) as! Mirror }

  /// The value that a playground shows for the wrapped subscriber.
  public var playgroundDescription: Any { box.property(.playground) }
}

/// The subscriber that ``AnySubscriber/init(receiveSubscription:receiveValue:receiveCompletion:)`` makes from closures.
@usableFromInline
internal struct ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable {
  @usableFromInline internal let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline internal let receiveValue: ((Input) -> Subscribers.Demand)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline internal let combineIdentifier: CombineIdentifier

  @_alwaysEmitIntoClient
  internal init(
    _ receiveSubscription: ((any Subscription) -> Void)?,
    _ receiveValue: ((Input) -> Subscribers.Demand)?,
    _ receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    combineIdentifier = CombineIdentifier()
  }

  @_alwaysEmitIntoClient
  internal func receive(subscription: any Subscription) { receiveSubscription?(subscription) }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  @usableFromInline
  internal var description: String { "Anonymous AnySubscriber" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(reflecting: description) }
}
