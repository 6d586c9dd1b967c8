// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

package import PenstockCore

/// An object that brings the values of a ``PushSource``, which owns it.
package protocol PushFeed: AnyObject, Sendable {
  /// Notes that the subscriber has cancelled, or that the stream has ended.
  func streamEnded()
}

/// The values of a source that sends without being asked, for one subscriber: values that are not requested wait,
/// within limits.
///
/// Values are delivered on a queue, so that the thread on which they come never waits for a subscriber.
package final class PushSource<Output: Sendable, Failure: Error>: SubscriptionSource, Sendable {
  /// What happens to values for which there is no room.
  package enum Overflow: Sendable {
    case dropOldest(Int)
    case dropNewest(Int)
    case fail(Int, Failure)
    /// The latest value of each key waits: it takes the place of the previous one, together with what belongs to that
    /// place.
    case latest(key: @Sendable (Output) -> String, merge: @Sendable (_ waiting: Output, inout Output) -> Void)
  }

  private struct State {
    /// `nil` before the subscription, and after a cancel or the end.
    var downstream: ErasedSubscriber?
    /// The subscription to which discarded values belong.
    var subscription = WeakReference<SourceSubscription>(nil)
    var demand = Subscribers.Demand.none
    var waiting = PlacedQueue<Output>()
    /// The total weight of the values that wait.
    var weight = 0
    /// The places of the waiting values by their keys, with `latest`.
    var places: [String: Int] = [:]
    var completion: Subscribers.Completion<Failure>?
    var isRunning = false

    var isDue: Bool {
      guard downstream != nil else { return false }
      return waiting.isEmpty ? completion != nil : demand != .none
    }

    /// Whether the caller has to start the loop.
    mutating func begin() -> Bool {
      if isRunning || !isDue { return false }
      isRunning = true
      return true
    }

    mutating func next(_ overflow: Overflow, _ weigh: (Output) -> Int) -> Step {
      guard isDue, let downstream else {
        isRunning = false
        return .rest
      }
      if !waiting.isEmpty {
        demand -= 1
        let value = waiting.removeFirst()
        weight -= weigh(value)
        if case .latest(let key, _) = overflow { places[key(value)] = nil }
        return .value(value, downstream)
      }
      self.downstream = nil
      isRunning = false
      return .completion(completion!, downstream)
    }
  }

  private enum Step {
    case value(Output, ErasedSubscriber)
    case completion(Subscribers.Completion<Failure>, ErasedSubscriber)
    case rest
  }

  private let state = Guarded(State())
  private let overflow: Overflow
  private let feed: any PushFeed
  private let maxWeight: Int
  private let weigh: @Sendable (Output) -> Int
  private let onDrop: @Sendable () -> Void
  private let schedule: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - feed: What brings the values.
  ///   - overflow: What happens to values for which there is no room.
  ///   - maxWeight: The greatest weight of all values that wait; one value may be heavier.
  ///   - weigh: Returns the weight of a value.
  ///   - onDrop: Called for each value that is dropped, on the thread on which values come.
  ///   - schedule: Runs a closure elsewhere: values are delivered there.
  package init(
    from feed: any PushFeed, _ overflow: Overflow, maxWeight: Int = .max,
    weigh: @escaping @Sendable (Output) -> Int = { _ in 0 }, onDrop: @escaping @Sendable () -> Void = {},
    schedule: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  ) {
    self.maxWeight = maxWeight
    self.weigh = weigh
    self.overflow = overflow
    self.feed = feed
    self.onDrop = onDrop
    self.schedule = schedule
  }

  package func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock {
      $0.downstream = downstream
      $0.subscription = WeakReference(subscription)
    }
  }

  package func show(in link: inout LinkState) {
    (link.downstream, link.demand, link.waiting) = state.withLock { ($0.downstream, $0.demand, $0.waiting.count) }
    switch overflow {
    case .dropOldest(let limit), .dropNewest(let limit), .fail(let limit, _): link.capacity = limit
    case .latest: break
    }
  }

  // MARK: From upstream

  package func receive(_ value: Output) {
    let key: String? = if case .latest(let key, _) = overflow { key(value) } else { nil }
    let weight = weigh(value)
    // Dropped values are destroyed outside the lock.
    let (dropped, starts) = state.withLock { state -> ([Output], Bool) in
      guard state.downstream != nil, state.completion == nil else { return ([], false) }
      var dropped: [Output] = []
      // One value always fits, whatever its weight.
      func isFull(_ limit: Int) -> Bool {
        state.waiting.count >= limit || !state.waiting.isEmpty && state.weight + weight > maxWeight
      }
      func append() {
        state.waiting.append(value)
        state.weight += weight
      }
      switch overflow {
      case .dropOldest(let limit):
        while isFull(limit) {
          let oldest = state.waiting.removeFirst()
          state.weight -= weigh(oldest)
          dropped.append(oldest)
        }
        append()
      case .dropNewest(let limit):
        if isFull(limit) { dropped = [value] } else { append() }
      case .fail(let limit, let error):
        if isFull(limit) {
          dropped = [value]
          state.completion = .failure(error)
        } else {
          append()
        }
      case .latest(_, let merge):
        if let place = state.places[key!] {
          var value = value
          merge(state.waiting[place], &value)
          state.waiting.replace(at: place, with: value)
        } else {
          state.places[key!] = state.waiting.append(value)
        }
      }
      return (dropped, state.begin())
    }
    for _ in dropped { onDrop() }
    if !dropped.isEmpty {
      noteDiscards(of: dropped, .bufferFull, by: state.withLock { $0.subscription.object })
    }
    if starts { start() }
  }

  /// Ends the stream, after the values that wait.
  package func finish(_ completion: Subscribers.Completion<Failure>) {
    let starts = state.withLock { state in
      if state.completion == nil { state.completion = completion }
      return state.begin()
    }
    if starts { start() }
  }

  // MARK: From downstream

  package func request(_ demand: Subscribers.Demand) {
    let starts = state.withLock { state in
      state.demand += demand
      return state.begin()
    }
    if starts { start() }
  }

  package func cancel(_ subscription: SourceSubscription) {
    let (last, waiting) = state.withLock { ($0.downstream.take(), exchange(&$0.waiting, with: PlacedQueue())) }
    if last != nil { feed.streamEnded() }
    withExtendedLifetime((last, waiting)) {}
  }

  // MARK: Delivering

  private func start() { schedule { self.run() } }

  private func run() {
    while true {
      let step = state.withLock { $0.next(overflow, weigh) }
      switch step {
      case .value(let value, let downstream):
        let more = downstream.receive(value)
        if more != .none { state.withLock { $0.demand += more } }
      case .completion(let completion, let downstream):
        feed.streamEnded()
        return downstream.receive(completion: completion)
      case .rest: return
      }
    }
  }
}
