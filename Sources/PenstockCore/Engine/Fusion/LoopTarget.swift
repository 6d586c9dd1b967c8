// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A target that delivers inside the loop of a ``SerialSubscription``, which is entered once for all values.
@usableFromInline
internal protocol LoopTarget: UnsettledTarget where Answer == Void {
  associatedtype Core: SerialSubscription

  /// The operator, unretained: its upstream's subscriber holds it, and its queue holds the signals that are put off.
  var core: Unmanaged<Core> { get }

  /// Whether the remaining values are no longer wanted, though the stream is open.
  var isStale: Bool { get }

  /// Handles the completion; called by the owner of the loop, while the stream is open.
  ///
  /// - Parameter isQueued: Whether upstream may be delivering its next value meanwhile.
  func end(_ completion: Subscribers.Completion<Failure>, isQueued: Bool)

  /// Called before the completion is queued, while upstream's value is still being handled.
  func willQueueEnd()
}

extension LoopTarget {
  /// No outputs: closures would run in the loop, and keep other threads out.
  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits { _FusionTraits(resolvesPublishers: true, takesElements: true) }

  @inlinable
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending)
  where Elements.Element == Input, Ending.Failure == Failure {
    deliver(elements, ending: ending._completion)
  }

  @_alwaysEmitIntoClient
  internal func willQueueEnd() {}

  /// The operator without its types.
  @_alwaysEmitIntoClient
  internal var untypedCore: Unmanaged<SerialSubscription> { .fromOpaque(core.toOpaque()) }

  /// Passes a value to downstream, which has requested everything; called by the owner of the loop, while the stream is open.
  @inlinable @inline(__always)
  internal func pass(_ value: Input) { untypedCore._withUnsafeGuaranteedRef { _ = $0.deliver(value: value) } }

  @_alwaysEmitIntoClient
  internal var isClosed: Bool { untypedCore._withUnsafeGuaranteedRef { $0.isClosed } }

  @inlinable @inline(__always)
  internal func _receive(only value: Input) {
    untypedCore.act(or: (), { passAll(value, isQueued: false) }, later: { postpone(value, $0) })
  }

  @inlinable
  internal func passAll(_ value: Input, isQueued: Bool) {
    if isStale { return }
    pass(value)
    if !isClosed { finish(.finished, isQueued: isQueued) }
  }

  @_alwaysEmitIntoClient
  internal func finish(_ completion: Subscribers.Completion<Failure>, isQueued: Bool) {
    if !isStale { end(completion, isQueued: isQueued) }
  }

  // Functions of their own: a closure that captures the value would count references even where none is made.

  @inlinable @inline(never)
  internal func postpone(_ value: Input, _ thread: UInt) {
    willQueueEnd()
    untypedCore._withUnsafeGuaranteedRef { $0.postpone(thread) { self.passAll(value, isQueued: true) } }
  }

  @inlinable @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) {
    untypedCore.act(or: (), { finish(completion, isQueued: false) }, later: { postpone(completion, $0) })
  }

  @inlinable @inline(never)
  internal func postpone(_ completion: Subscribers.Completion<Failure>, _ thread: UInt) {
    willQueueEnd()
    untypedCore._withUnsafeGuaranteedRef { $0.postpone(thread) { self.finish(completion, isQueued: true) } }
  }

  @inlinable
  internal func deliver<Elements: Sequence>(_ elements: Elements, ending: Subscribers.Completion<Failure>)
  where Elements.Element == Input {
    var iterator = elements.makeIterator()
    guard let first = iterator.next() else { return _receive(completion: ending) }
    let core = untypedCore
    let thread = currentThread()
    var next = Optional(first)
    while let value = next {
      let entry = core._withUnsafeGuaranteedRef { $0.enter(thread) }
      if case .busy = entry {
        // Value by value: anything that this thread sends afterwards has to come after all of them.
        if core._withUnsafeGuaranteedRef({ $0.isClosed }) || isStale { return }
        next = iterator.next()
        postpone(value, next == nil ? ending : nil, thread)
        continue
      }
      var endsLater = false
      next = core._withUnsafeGuaranteedRef { $0.isClosed } ? nil : run(&iterator, from: value, ending, &endsLater)
      if case .entered = entry { core._withUnsafeGuaranteedRef { $0.leave(thread) } }
      if endsLater { _receive(completion: ending) }
    }
  }

  /// Delivers values until other threads have something to do in the loop.
  ///
  /// - Parameter endsLater: Set if the completion is left to the caller, outside of the loop.
  /// - Returns: The next value; `nil` if the stream or the sequence has ended.
  @inlinable @inline(__always)
  internal func run<Iterator: IteratorProtocol>(
    _ iterator: inout Iterator, from first: Input, _ ending: Subscribers.Completion<Failure>, _ endsLater: inout Bool
  ) -> Input? where Iterator.Element == Input {
    let core = untypedCore
    var value = first
    while !isStale {
      pass(value)
      if core._withUnsafeGuaranteedRef({ $0.isClosed }) { return nil }
      guard let following = iterator.next() else {
        // Signals that other threads have sent during the last value come before a failure.
        endsLater = core._withUnsafeGuaranteedRef { $0.hasOtherWork }
        if !endsLater { finish(ending, isQueued: false) }
        return nil
      }
      value = following
      if core._withUnsafeGuaranteedRef({ $0.hasOtherWork }) { return value }
    }
    return nil
  }

  /// Delivers one value of several, and the completion after the last one.
  @inlinable @inline(never)
  internal func postpone(_ value: Input, _ ending: Subscribers.Completion<Failure>?, _ thread: UInt) {
    if ending != nil { willQueueEnd() }
    untypedCore._withUnsafeGuaranteedRef { core in
      core.postpone(thread) {
        if self.isStale { return }
        self.pass(value)
        if let ending, !self.isClosed { self.finish(ending, isQueued: true) }
      }
    }
  }
}
