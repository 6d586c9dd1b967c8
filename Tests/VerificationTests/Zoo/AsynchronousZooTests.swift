// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Numbers that a queue delivers, each in an action of its own: right, or with one of the usual mistakes with queues.
private struct QueueNumbers: Publisher {
  typealias Output = Int
  typealias Failure = Never

  enum Flaw: Sendable, CaseIterable {
    /// After a cancel, the queue still does the work that it has already.
    case forgetsCancel
    /// A request counts as the whole demand: the rest of the previous one is lost.
    case replacesDemand
    /// The end does not wait for the last value.
    case endOvertakes
    /// The values go alternately to two queues.
    case overlaps
    /// The end is checked before a value, and so only with demand.
    case endNeedsDemand
    /// The first request starts a loop, and later ones find it ended.
    case stopsAtPause
  }

  let count: Int
  var flaw: Flaw?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let deliver = Delivery(AnySubscriber(subscriber), count, flaw)
    subscriber.receive(subscription: deliver)
    deliver.start()
  }

  private final class Delivery: Subscription, @unchecked Sendable {
    // `@unchecked`: the state is in a lock, and the subscriber is called on the queue.

    private struct State {
      var subscriber: AnySubscriber<Int, Never>?
      var next = 0
      var demand = Subscribers.Demand.none
      var isScheduled = false
      var hasBegun = false
    }

    private let state: Locked<State>
    private let (count, flaw): (Int, Flaw?)
    private let queue: DispatchQueue
    private let other = DispatchQueue(label: "other")

    init(_ subscriber: AnySubscriber<Int, Never>, _ count: Int, _ flaw: Flaw?) {
      state = Locked(State(subscriber: subscriber))
      (self.count, self.flaw) = (count, flaw)
      queue = DispatchQueue(label: "numbers", attributes: .initiallyInactive)
    }

    /// Nothing is delivered before the subscriber has its subscription, even if it requests meanwhile.
    func start() {
      queue.activate()
      if count == 0 { queue.async { self.end() } }
    }

    func request(_ demand: Subscribers.Demand) {
      precondition(demand > .none, "something has to be requested")
      if flaw == .forgetsCancel || flaw == .overlaps { return deliverAtOnce(demand) }
      let isIdle = state.change { state in
        if flaw == .replacesDemand { state.demand = demand } else { state.demand += demand }
        if flaw == .stopsAtPause, state.hasBegun, !state.isScheduled { return false }
        defer { (state.isScheduled, state.hasBegun) = (true, true) }
        return !state.isScheduled
      }
      if isIdle { queue.async { self.step() } }
    }

    /// An action for each value, at once.
    private func deliverAtOnce(_ demand: Subscribers.Demand) {
      let (numbers, subscriber, isLast) = state.change { state in
        let end = state.next + Swift.min(count - state.next, demand.max ?? count)
        defer { state.next = end }
        return (state.next..<end, state.subscriber, end == count && state.next < count)
      }
      guard let subscriber else { return }
      let box = UncheckedBox(subscriber)
      for number in numbers {
        (flaw == .overlaps && number % 2 == 1 ? other : queue).async {
          let more = box.value.receive(number)
          if more > .none { self.request(more) }
        }
      }
      if isLast { queue.async { self.end() } }
    }

    private func step() {
      let (number, subscriber) = state.change { state -> (Int?, AnySubscriber<Int, Never>?) in
        if state.subscriber == nil || state.demand == .none || state.next == count {
          state.isScheduled = false
          return (nil, state.next == count && flaw == .endNeedsDemand ? state.subscriber : nil)
        }
        state.demand -= 1
        state.next += 1
        return (state.next - 1, state.subscriber)
      }
      guard let subscriber else { return }
      guard let number else { return end() }
      let isLast = number + 1 == count
      if isLast, flaw == .endOvertakes { end() }
      let more = subscriber.receive(number)
      state.change { $0.demand += more }
      if isLast, flaw == nil || flaw == .replacesDemand || flaw == .stopsAtPause { return end() }
      // Without demand nobody checks whether that was all.
      if flaw == .endNeedsDemand, isLast, state.value.demand == .none { return state.change { $0.isScheduled = false } }
      queue.async { self.step() }
    }

    private func end() {
      let subscriber = state.change { $0.subscriber.take() }
      subscriber?.receive(completion: .finished)
    }

    func cancel() { _ = state.change { $0.subscriber.take() } }
  }
}

/// Publishers that deliver on a queue without being driven: their mistakes are found, and none is found where there is
/// none.
@Suite(.serialized) struct AsynchronousZooTests {
  private static let found: [(QueueNumbers.Flaw, String)] = [
    (.forgetsCancel, "S-04"), (.replacesDemand, "P-04"), (.endOvertakes, "P-06"), (.overlaps, "C-01"),
    (.endNeedsDemand, "P-07"), (.stopsAtPause, "P-08"),
  ]

  @Test(arguments: found.indices) func `A mistake on a queue is found`(_ place: Int) {
    let (flaw, rule) = Self.found[place]
    let result = PublisherVerification("\(flaw)").finite { QueueNumbers(count: $0, flaw: flaw) }.inProcess()
      .result(of: .named(rule)!)
    #expect(result.isFailure, "\(result)")
  }

  @Test func `Nothing is found without a mistake`() async {
    await judge(PublisherVerification("queue").finite { QueueNumbers(count: $0) }.inProcess())
  }
}
