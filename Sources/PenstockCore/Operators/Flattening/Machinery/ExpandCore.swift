// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The core of `expand`: each value is delivered, and then turned into a publisher of further values.
///
/// A value that has been delivered goes to the ``Frontier``. From there it is taken outside the loop, by one thread at a
/// time, as soon as fewer publishers run than are allowed. A publisher that delivers at once fills the frontier that the
/// thread further up empties: so there is no recursion, however long a chain of values becomes.
///
/// As in ``FlatMapCore``, each inner publisher is requested one value at a time until downstream's demand is unlimited.
@usableFromInline
package final class ExpandCore<Output, Failure: Error>: FlatMapSubscription, FlatteningCore {
  /// A value that waits for demand.
  @usableFromInline
  internal struct Waiting {
    @usableFromInline internal let value: Output
    /// The stream that is asked for another value in its place; `nil` for a value of upstream.
    @usableFromInline internal let stream: InnerStream?

    @inlinable
    internal init(value: Output, stream: InnerStream?) {
      self.value = value
      self.stream = stream
    }
  }

  /// The values that have been delivered and not been turned into publishers, in order.
  @usableFromInline
  internal struct Frontier {
    @usableFromInline internal typealias Expand = (ExpandCore, Output) -> Void

    @usableFromInline internal var values: Deque<Output> = []
    /// Whether a thread takes values out, or will as soon as it has left the loop.
    @usableFromInline internal var isOpening = false
    /// Subscribes to the publisher of a value; released with the stream.
    @usableFromInline internal var expand: Expand?
    /// Whether there has been an uncommon number of values, whose place is not kept.
    @usableFromInline internal var isLarge = false

    @inlinable
    internal init(_ expand: @escaping Expand) { self.expand = expand }
  }

  /// Values are added by the owner of the loop, and taken out by the thread that opens publishers.
  @usableFromInline internal let frontier: Guarded<Frontier>
  @usableFromInline internal let opener: StreamOpener

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Waiting> = []
  /// What upstream has been asked for and has not delivered.
  @exclusivity(unchecked) @usableFromInline internal var outstanding = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var upstreamHasArrived = false
  /// Whether downstream has requested everything, so that every inner stream has been requested without limit.
  @exclusivity(unchecked) @usableFromInline internal var isUnlimited = false

  @inlinable @inline(never)
  internal init(
    _ maxPublishers: Subscribers.Demand, expand: @escaping Frontier.Expand, downstream: __owned SubscriberCalls
  ) {
    frontier = Guarded(Frontier(expand))
    opener = StreamOpener { unsafeDowncast($0, to: ExpandCore.self).openStreams() }
    super.init(name: "Expand", maxPublishers, work: TypedWork(of: ExpandCore.self), downstream: downstream)
    opener.flattening = .passUnretained(self)
  }

  // MARK: Opening; outside the loop, by one thread at a time

  /// Turns values of the frontier into publishers, until there are none or enough of them run.
  ///
  /// A stream that ends meanwhile is counted before its thread looks whether somebody opens the next one: either that
  /// thread does, or this one sees it.
  @inlinable
  internal func openStreams() {
    while let next = takeNext() { next.expand(self, next.value) }
  }

  @inlinable @inline(never)
  internal func takeNext() -> (value: Output, expand: Frontier.Expand)? {
    frontier.withLock { frontier in
      guard !isClosed, hasRoom, let expand = frontier.expand, let value = frontier.values.popFirst() else {
        frontier.isOpening = false
        return nil
      }
      if frontier.values.isEmpty, exchange(&frontier.isLarge, with: false) { frontier.values = [] }
      // Together with the removal, so that a value is counted at any time, in the frontier or as a stream.
      opened.wrappingAdd(1, ordering: .relaxed)
      return (value, expand)
    }
  }

  /// Whether another inner publisher may run.
  @inlinable
  internal var hasRoom: Bool { maxPublishers.max.map { running < UInt(bitPattern: $0) } ?? true }

  @inlinable @inline(__always)
  package func subscribe<Inner: Publisher>(_ makeInner: () -> Inner)
  where Inner.Output == Output, Inner.Failure == Failure {
    let inner = makeInner()
    if isClosed { return }
    let stream = InnerStream(of: .passUnretained(self))
    inner.subscribe(InletSubscriber(FlatMapInnerHandler(self, stream)))
  }

  // MARK: Called by the owner

  @inlinable
  internal func beginUpstream() {
    assertOwned()
    upstreamHasArrived = true
    if !isDelivering { askUpstream() }
  }

  /// Handles a value of upstream.
  @inlinable
  internal func takeRoot(_ input: Output) -> Subscribers.Demand {
    if isClosed { return .none }
    if outstanding != .none { outstanding -= 1 }
    return deliverOrKeep(input, of: nil) ? takeRequest() : .none
  }

  @inlinable
  package func take(_ input: Output, from stream: InnerStream) -> Subscribers.Demand {
    if isClosed { return .none }
    let isUnlimited = isUnlimited
    guard deliverOrKeep(input, of: stream) else { return .none }
    askUpstream()
    return isUnlimited ? .none : .max(1)
  }

  /// Delivers a value if it has been requested; otherwise it waits.
  ///
  /// - Returns: Whether it has been delivered.
  @inlinable
  internal func deliverOrKeep(_ value: Output, of stream: InnerStream?) -> Bool {
    assertOwned()
    guard demand != .none, !isDelivering, waiting.isEmpty else {
      waiting.append(Waiting(value: value, stream: stream))
      shownWaiting.set(waiting.count)
      return false
    }
    deliverCounted(value)
    serve()
    return true
  }

  /// Delivers a value, and has it turned into a publisher after that.
  @inlinable @inline(never)
  internal func deliverCounted(_ value: Output) {
    assertOwned()
    isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    isDelivering = false
    if isClosed { return }
    frontier.withLock { frontier in
      frontier.values.append(value)
      if frontier.values.count > 1_024 { frontier.isLarge = true }
    }
  }

  /// Delivers waiting values, as far as demand reaches, and has publishers opened.
  @inlinable
  internal func serve() {
    assertOwned()
    while demand != .none, !isClosed, let next = waiting.popFirst() {
      shownWaiting.set(waiting.count)
      if !isUnlimited, let stream = next.stream { requestLater(.max(1), from: stream) }
      deliverCounted(next.value)
    }
    if isClosed { return }
    if demand.isUnlimited, !isUnlimited {
      isUnlimited = true
      askForAll()
    }
    if announceOpening() { requestLater(.max(1), from: opener) }
    finishIfDone()
  }

  /// Takes it upon the calling thread to open publishers, as soon as it has left the loop.
  @inlinable @inline(never)
  internal func announceOpening() -> Bool {
    frontier.withLock { frontier in
      guard !frontier.isOpening, !frontier.values.isEmpty, hasRoom else { return false }
      frontier.isOpening = true
      return true
    }
  }

  /// Counts as requested what upstream may be asked for.
  ///
  /// That is no more than downstream wants. And the publishers that run, the values that wait to become publishers, and the
  /// values that have been requested are no more than `maxPublishers` together.
  ///
  /// - Returns: What the caller has to request.
  @inlinable
  internal func takeRequest() -> Subscribers.Demand {
    assertOwned()
    guard upstreamHasArrived, !upstreamHasFinished, !isClosed, outstanding < demand else { return .none }
    var wanted: Subscribers.Demand = demand.isUnlimited ? .unlimited : demand - outstanding
    if let most = maxPublishers.max {
      let room = most - frontier.withLock { $0.values.count + Int(bitPattern: running) } - (outstanding.max ?? most)
      if room <= 0 { return .none }
      wanted = min(wanted, .max(room))
    }
    outstanding += wanted
    return wanted
  }

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    demand += more
    proceed()
  }

  /// Serves a change, and asks upstream, unless a delivery further up will.
  @inlinable
  internal func proceed() {
    if isDelivering { return }
    serve()
    askUpstream()
  }

  @inlinable
  internal func askUpstream() {
    let wanted = takeRequest()
    if wanted != .none { requestLater(wanted, from: upstream) }
  }

  @inlinable
  package func endStream(_ completion: Subscribers.Completion<Failure>, of stream: InnerStream) {
    assertOwned()
    noteEnd()
    if case .failure = completion { return finish(completion) }
    proceed()
  }

  @inlinable
  package func endUpstream(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    proceed()
  }

  @inlinable
  internal func finishIfDone() {
    guard upstreamHasFinished, waiting.isEmpty else { return }
    if frontier.withLock({ $0.values.isEmpty && running == 0 }) { finish(.finished) }
  }

  @inlinable
  package func discard() {
    // Emptied before anything is released, which may run user code.
    let waiting = exchange(&waiting, with: [])
    let (values, expand) = frontier.withLock { (exchange(&$0.values, with: []), $0.expand.take()) }
    // The values of the frontier have been delivered.
    noteDiscards(of: waiting.lazy.map(\.value), .ended)
    withExtendedLifetime((waiting, values, expand)) {}
  }
}

/// The inner streams of an ``ExpandCore`` that have not been opened, as a target of a request: they are opened as soon as the
/// loop has been left.
@usableFromInline
internal final class StreamOpener: DemandTarget {
  /// Unretained, since the operator refers to the target; only a method of the operator requests from it.
  @usableFromInline internal var flattening: Unmanaged<FlatMapSubscription>?
  private let open: (FlatMapSubscription) -> Void

  /// - Parameter open: A closure made where the types are concrete.
  @usableFromInline
  internal init(_ open: @escaping (FlatMapSubscription) -> Void) {
    self.open = open
    super.init()
  }

  @usableFromInline
  internal override func request(_ demand: Subscribers.Demand) {
    // Retained, since it may last: the publishers that it subscribes to may release everybody else who keeps the operator.
    if let flattening = flattening?.takeUnretainedValue() { open(flattening) }
  }
}
