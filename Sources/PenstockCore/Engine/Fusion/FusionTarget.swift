// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The properties of a ``_FusionTarget``: what it takes, and what it is.
@frozen
public struct _FusionTraits: Sendable {
  /// Whether a publisher may call a closure of the user's to find out what to hand over.
  @usableFromInline internal let resolvesPublishers: Bool
  /// Whether the elements of a sequence may be handed over, once the target is ready, if the iterator runs no code of the
  /// user's.
  @usableFromInline internal let takesElements: Bool
  /// Whether these elements may also be made by closures of the user's, as the target takes them.
  @usableFromInline internal let takesOutputs: Bool
  /// Whether the chain ends in a `sink`, so that every target of this type resides.
  @usableFromInline internal let endsInSink: Bool
  /// Whether the subscriber may end its own stream; only a subject keeps one that does.
  @usableFromInline internal let endsItself: Bool

  @_alwaysEmitIntoClient @inline(__always)
  internal init(
    resolvesPublishers: Bool = false, takesElements: Bool = false, takesOutputs: Bool = false, endsInSink: Bool = false,
    endsItself: Bool = false
  ) {
    self.resolvesPublishers = resolvesPublishers
    self.takesElements = takesElements
    self.takesOutputs = takesOutputs
    self.endsInSink = endsInSink
    self.endsItself = endsItself
  }

  /// Whether a source with a serial queue may keep the subscriber: a sink that nothing but upstream ends.
  @_alwaysEmitIntoClient @inline(__always)
  internal var residesAnywhere: Bool { endsInSink && !endsItself }
}

/// A part of the library that can take the values of some publishers without a subscription: *fusion*.
///
/// A publisher that has all its values, delivers them on request and then ends, such as ``Just``, hands them over in
/// one call where everything has been requested. No subscription is made, and nobody misses it: an operator that could
/// show it, such as `print()`, is no publisher of this kind, and nothing is fused while an introspection is enabled.
///
/// A target does not outlive the call of ``Publisher/_fuse(into:)``: it may refer to what the caller owns.
///
/// An implementation detail, public because it is named by a requirement of ``Publisher``. Conforming types are the
/// library's.
public protocol _FusionTarget {
  associatedtype Input
  associatedtype Failure: Error
  /// The result of the call that hands over.
  associatedtype Answer
  /// A subscriber without an object of its own; see ``_resides``.
  associatedtype Resident: Subscriber where Resident.Input == Input, Resident.Failure == Failure

  /// Whether values may be handed over now: everything has been requested, and no introspection is enabled.
  ///
  /// Once `true`, the target takes what it is given, though the stream may have been closed meanwhile.
  var _isReady: Bool { get }

  /// The properties that follow from the target's type alone.
  static var _traits: _FusionTraits { get }

  /// Takes a value, and the completion `.finished` that follows it.
  func _receive(only value: Input) -> Answer

  /// Takes the elements of a sequence, and the completion that follows them.
  ///
  /// The completion is made after the last element has been delivered: a closure of the user's may map it.
  func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Answer
  where Elements.Element == Input, Ending.Failure == Failure

  /// Takes a completion.
  func _receive(completion: Subscribers.Completion<Failure>) -> Answer

  /// Whether a source may keep the target's subscriber in its own subscription, to which the target gives nobody access.
  ///
  /// The subscriber then needs no object of its own.
  var _resides: Bool { get }

  /// Makes the subscriber, for a subscription that it does not outlive; only if the target ``_resides``.
  __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident

  /// The answer when the subscriber has been attached.
  static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Answer

  /// Subscribes to the publisher that was asked, since it hands nothing over.
  func _subscribe<P: Publisher>(to publisher: P) -> Answer where P.Output == Input, P.Failure == Failure

  /// Subscribes to a publisher that the one that was asked has made, and that hands nothing over.
  func _subscribe<P: Publisher>(resolved publisher: P) -> Answer where P.Output == Input, P.Failure == Failure
}

/// The completion after the elements of a sequence, or what makes it.
public protocol _Ending {
  associatedtype Failure: Error

  /// Makes the completion; called once, after the last element.
  var _completion: Subscribers.Completion<Failure> { get }
}

extension Subscribers.Completion: _Ending {
  @_alwaysEmitIntoClient @inline(__always)
  public var _completion: Self { self }
}

extension _FusionTarget {
  @inlinable @inline(__always)
  public func _subscribe<P: Publisher>(resolved publisher: P) -> Answer
  where P.Output == Input, P.Failure == Failure { _subscribe(to: publisher) }

  /// Takes the value of a result, and the completion that follows it, or the failure.
  @inlinable @inline(__always)
  internal func _receive(_ result: Result<Input, Failure>) -> Answer {
    switch result {
    case .success(let value): _receive(only: value)
    case .failure(let failure): _receive(completion: .failure(failure))
    }
  }
}

extension Publisher {
  @inlinable @inline(__always)
  public static var _offer: _Offer { .nothing }

  /// Hands nothing over: the target subscribes.
  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    target._subscribe(to: self)
  }
}
