// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The core of `flatMap`, for any type of upstream values and any way to turn them into publishers.
///
/// Each inner publisher is requested one value at a time until downstream's demand is unlimited. A value without demand
/// waits, and its publisher gets no further request meanwhile: the number of waiting values is bounded by the number of
/// inner publishers.
@usableFromInline
package final class FlatMapCore<Output, Failure: Error>: FlatMapSubscription, FlatteningCore {
  /// Whether downstream has requested everything and no value waits, so that every inner stream has been requested without
  /// limit; written only by the owner of the loop.
  @usableFromInline internal let isUnlimited = AtomicCell(false)

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var waiting = WaitingValues<Output>()
  /// The number of inner streams that have ended and whose successors have not been requested.
  @exclusivity(unchecked) @usableFromInline internal var heldBack = Subscribers.Demand.none

  /// Whether no further publisher is requested while a value waits; otherwise a publisher that delivers and ends at
  /// once makes room for the next, as in Combine.
  @usableFromInline internal let holdsBack: Bool

  @inlinable @inline(never)
  internal init(
    name: String, _ maxPublishers: Subscribers.Demand, holdsBack: Bool, downstream: __owned SubscriberCalls
  ) {
    self.holdsBack = holdsBack
    super.init(name: name, maxPublishers, work: TypedWork(of: FlatMapCore.self), downstream: downstream)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func subscribe<Inner: Publisher>(_ makeInner: () -> Inner)
  where Inner.Output == Output, Inner.Failure == Failure {
    let inner = makeInner()
    if !isClosed { inner._fuse(into: FlatMapTarget(self)) }
  }

  // MARK: Called by the owner

  @_alwaysEmitIntoClient
  package func take(_ input: Output, from stream: InnerStream) -> Subscribers.Demand {
    if isClosed { return .none }
    if demand.isUnlimited {
      _ = deliver(value: input)
      return .none
    }
    // Waiting values go first.
    if demand == .none || !waiting.isEmpty {
      waiting.append(input, from: stream)
      shownWaiting.set(waiting.count)
      return .none
    }
    let isNested = isDelivering
    deliverCounted(input)
    if !isNested { drain() }
    return .max(1)
  }

  @inlinable @inline(never)
  internal func deliverCounted(_ value: Output) {
    assertOwned()
    let isNested = isDelivering
    isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    isDelivering = isNested
  }

  /// Delivers waiting values, as far as demand reaches.
  @inlinable
  internal func drain() {
    assertOwned()
    if !waiting.isEmpty {
      while demand != .none, !isClosed, let next = waiting.popFirst() {
        shownWaiting.set(waiting.count)
        requestLater(.max(1), from: next.stream)
        deliverCounted(next.value)
      }
      finishIfDone()
      if waiting.isEmpty, !isClosed { requestLater(exchange(&heldBack, with: .none), from: upstream) }
    }
    // Here, and not only in a request: the demand that is returned for a value may be unlimited, too.
    if demand.isUnlimited, !isClosed { wantAll() }
  }

  @_alwaysEmitIntoClient
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed || demand.isUnlimited { return }
    demand += more
    if !isDelivering { drain() }
  }

  @_alwaysEmitIntoClient
  package func discard() {
    // Emptied before anything is released, which may run user code.
    let waiting = exchange(&waiting, with: WaitingValues())
    noteDiscards(of: waiting.values, .ended)
    withExtendedLifetime(waiting) {}
  }

  @_alwaysEmitIntoClient
  internal func wantAll() {
    assertOwned()
    if isUnlimited.load(ordering: .relaxed) { return }
    isUnlimited.store(true, ordering: .relaxed)
    askForAll()
  }

  @_alwaysEmitIntoClient
  package func endStream(_ completion: Subscribers.Completion<Failure>, of stream: InnerStream) {
    noteEnd()
    endInner(completion, isHandled: false)
  }

  /// Ends a publisher, which may have no stream.
  ///
  /// - Parameter isHandled: Whether it is known that the calling thread is handling a value of upstream's.
  @_alwaysEmitIntoClient
  internal func endInner(_ completion: Subscribers.Completion<Failure>, isHandled: Bool) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    if upstreamHasFinished { return finishIfDone() }
    if maxPublishers.isUnlimited { return }
    if holdsBack, !waiting.isEmpty { heldBack += 1 } else { requestNext(isHandled: isHandled) }
  }

  @_alwaysEmitIntoClient
  package func endUpstream(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    finishIfDone()
  }

  @inlinable @inline(never)
  package func settle() { submit { self.finishIfDone() } }

  @inlinable @inline(never)
  internal func finishIfDone() {
    assertOwned()
    // Upstream opens no further inner stream, since its completion has been queued after the last one was opened.
    if upstreamHasFinished, waiting.isEmpty, running == 0 { finish(.finished) }
  }
}
