// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import Dispatch
  internal import PenstockCore

  /// The source of the values of an intake.
  internal protocol IntakeSource: AnyObject, Sendable {
    /// Notes that the subscriber has cancelled, or that the stream has ended.
    func intakeEnded()
  }

  /// The values of a source that sends without being asked, for one subscriber: values that are not requested wait,
  /// within limits.
  ///
  /// Values are delivered on a serial queue, so that the thread on which they come never waits for a subscriber.
  internal final class Intake<Output: Sendable>: SubscriptionSource, Sendable {
    internal enum Overflow: Sendable {
      case dropOldest(Int)
      case dropNewest(Int)
      case fail(Int, NATSError)
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
      var waiting = Line<Output>()
      /// The total weight of the values that wait.
      var weight = 0
      /// The places of the waiting values by their keys, with `latest`.
      var places: [String: Int] = [:]
      var completion: Subscribers.Completion<NATSError>?
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
      case completion(Subscribers.Completion<NATSError>, ErasedSubscriber)
      case rest
    }

    private let state = Guarded(State())
    private let overflow: Overflow
    private let source: any IntakeSource
    private let maxWeight: Int
    private let weigh: @Sendable (Output) -> Int
    private let onDrop: @Sendable () -> Void
    private let queue = DispatchQueue(label: "penstock.nats.subscription")

    internal init(
      _ overflow: Overflow, maxWeight: Int = .max, weigh: @escaping @Sendable (Output) -> Int = { _ in 0 },
      source: any IntakeSource,
      onDrop: @escaping @Sendable () -> Void
    ) {
      self.maxWeight = maxWeight
      self.weigh = weigh
      self.overflow = overflow
      self.source = source
      self.onDrop = onDrop
    }

    internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
      state.withLock {
        $0.downstream = downstream
        $0.subscription = WeakReference(subscription)
      }
    }

    internal func show(in link: inout LinkState) {
      (link.downstream, link.demand, link.waiting) = state.withLock { ($0.downstream, $0.demand, $0.waiting.count) }
      switch overflow {
      case .dropOldest(let limit), .dropNewest(let limit), .fail(let limit, _): link.capacity = limit
      case .latest: break
      }
    }

    // MARK: From upstream

    internal func receive(_ value: Output) {
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
    internal func finish(_ completion: Subscribers.Completion<NATSError>) {
      let starts = state.withLock { state in
        if state.completion == nil { state.completion = completion }
        return state.begin()
      }
      if starts { start() }
    }

    // MARK: From downstream

    internal func request(_ demand: Subscribers.Demand) {
      let starts = state.withLock { state in
        state.demand += demand
        return state.begin()
      }
      if starts { start() }
    }

    internal func cancel(_ subscription: SourceSubscription) {
      let (last, waiting) = state.withLock { ($0.downstream.take(), exchange(&$0.waiting, with: Line())) }
      if last != nil { source.intakeEnded() }
      withExtendedLifetime((last, waiting)) {}
    }

    // MARK: Delivering

    private func start() { queue.async { self.run() } }

    private func run() {
      while true {
        let step = state.withLock { $0.next(overflow, weigh) }
        switch step {
        case .value(let value, let downstream):
          let more = downstream.receive(value)
          if more != .none { state.withLock { $0.demand += more } }
        case .completion(let completion, let downstream):
          source.intakeEnded()
          return downstream.receive(completion: completion)
        case .rest: return
        }
      }
    }
  }
#endif
