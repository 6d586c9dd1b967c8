// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The closures of a `sink`, as a target.
///
/// Nobody can cancel before `sink` returns, so nothing has to be kept for a cancel. It takes values only if no
/// introspection was enabled when `sink` was called.
@usableFromInline
internal struct SinkTarget<Input, Failure: Error>: _FusionTarget {
  @usableFromInline internal typealias Resident = SinkResident<Input, Failure>

  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Void

  @_alwaysEmitIntoClient
  internal init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _isReady: Bool { true }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits {
    _FusionTraits(resolvesPublishers: true, takesElements: true, takesOutputs: true, endsInSink: true)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(only value: Input) -> AnyCancellable {
    receiveValue(value)
    return _receive(completion: .finished)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> AnyCancellable
  where Elements.Element == Input, Ending.Failure == Failure {
    for element in elements { receiveValue(element) }
    return _receive(completion: ending._completion)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> AnyCancellable {
    receiveCompletion(completion)
    return AnyCancellable(target: nil)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { true }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(
    in subscription: Unmanaged<_CancellableObject>
  ) -> SinkResident<Input, Failure> {
    SinkResident(self, in: .fromOpaque(subscription.toOpaque()))
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> AnyCancellable {
    guard let base = subscription.base else { return AnyCancellable(subscription) }
    return AnyCancellable(target: base)
  }

  // A function of its own: together with the code that makes the target it is more than the optimiser's analyses of
  // lifetimes can take. This is done only here, at the end: the specialiser gives up on a chain of such functions after
  // a few links.
  @_alwaysEmitIntoClient @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) -> AnyCancellable
  where P.Output == Input, P.Failure == Failure {
    let sink = makeSink()
    publisher.receive(subscriber: sink)
    return sink.makeCancellable()
  }

  /// The closures in an object; a function of its own, which depends on the type of the values alone.
  @inlinable @inline(never)
  internal func makeSink() -> Subscribers.Sink<Input, Failure> {
    Subscribers.Sink(SinkClosures(receiveCompletion, receiveValue), belongsToChain: true)
  }
}
