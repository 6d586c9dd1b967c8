// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import Synchronization

/// A subscriber between two operators that checks every signal in both directions.
final class Checkpoint: Subscriber, Subscription, @unchecked Sendable {
  typealias Input = Item
  typealias Failure = Fault

  private enum Phase { case waiting, live, over }

  private struct State {
    var phase = Phase.waiting
    var granted = Subscribers.Demand.none
    var delivered = 0
    /// The thread that is delivering, the depth of its calls, and whether it is delivering the subscription.
    var inside: UInt64 = 0
    var depth = 0
    var isIntroducing = false
    /// The thread that has cancelled.
    var canceller: UInt64?
    var afterCancel = 0
    /// The thread that delivered the completion.
    var ender: UInt64 = 0
    var upstream: (any Subscription)?
    var downstream: AnySubscriber<Item, Fault>?
    /// The last number of each channel.
    var last: [Int: Int] = [:]
  }

  private let state: Guard<State>
  private let place: String
  private let checks: Checks
  private let world: World
  private let dwell: Int

  init(_ downstream: AnySubscriber<Item, Fault>, place: String, checks: Checks, dwell: Int, in world: World) {
    state = Guard(State(downstream: downstream))
    self.place = place
    self.checks = checks
    self.dwell = dwell
    self.world = world
    Census.checkpoints.add(1, ordering: .relaxed)
  }

  deinit { Census.checkpoints.subtract(1, ordering: .acquiringAndReleasing) }

  // MARK: From upstream

  func receive(subscription: any Subscription) {
    let thread = currentThreadNumber()
    let isSecond = state.change { state in
      let isSecond = state.phase != .waiting || state.upstream != nil
      enter(&state, thread, "the subscription", isIntroduction: true)
      if !isSecond {
        state.upstream = subscription
        state.phase = .live
      }
      return isSecond
    }
    if isSecond { Verdict.report(.grammar, "\(place): a second subscription") }
    state.value.downstream?.receive(subscription: self)
    leave()
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    let thread = currentThreadNumber()
    let downstream = state.change { state -> AnySubscriber<Item, Fault>? in
      check(item, in: &state, on: thread)
      enter(&state, thread, "a value")
      // Below a publisher that does not count demand, values without demand are dropped, as a user's operator has to.
      let isExcess = !checks.contains(.demand) && state.granted < state.delivered
      if isExcess { state.delivered -= 1 }
      return state.canceller != nil || isExcess ? nil : state.downstream
    }
    world.countDelivery()
    stay(dwell)
    let more = downstream?.receive(item) ?? .none
    state.change { $0.granted += more }
    leave()
    return more
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    let thread = currentThreadNumber()
    let (downstream, upstream) = state.change { state -> (AnySubscriber<Item, Fault>?, (any Subscription)?) in
      switch state.phase {
      case .waiting: Verdict.report(.grammar, "\(place): a completion before the subscription")
      case .over: Verdict.report(.grammar, "\(place): a second completion")
      case .live: break
      }
      enter(&state, thread, "the completion")
      state.phase = .over
      state.ender = thread
      // Not here: releasing values may run code that takes the lock again.
      return (state.canceller != nil ? nil : state.downstream.take(), state.upstream.take())
    }
    stay(dwell)
    downstream?.receive(completion: completion)
    withExtendedLifetime(upstream) {}
    leave()
  }

  private func check(_ item: Item, in state: inout State, on thread: UInt64) {
    switch state.phase {
    case .waiting: Verdict.report(.grammar, "\(place): a value before the subscription")
    case .over:
      if !world.nestsEnds || state.ender != thread {
        Verdict.report(.grammar, "\(place): a value after the completion")
      }
    case .live: break
    }
    state.delivered += 1
    if checks.contains(.demand), state.granted < state.delivered {
      let (delivered, granted) = (state.delivered, state.granted)
      Verdict.report(.demand, "\(place): value \(delivered) came with a demand of \(granted)")
    }
    if let canceller = state.canceller, !world.nestsCancels || canceller != thread {
      state.afterCancel += 1
      // A value that another thread was about to deliver may still arrive.
      let count = state.afterCancel
      if count > world.valuesUnderWay { Verdict.report(.cancel, "\(place): \(count) values after cancel had returned") }
    }
    if checks.contains(.order), item.channel >= 0 {
      if let last = state.last[item.channel], last >= item.number {
        Verdict.report(
          .order, "\(place): value \(item.number) of channel \(item.channel) came behind \(last)")
      }
      state.last[item.channel] = item.number
    }
  }

  private func enter(_ state: inout State, _ thread: UInt64, _ what: String, isIntroduction: Bool = false) {
    if state.depth > 0, state.inside != thread {
      Verdict.report(
        state.isIntroducing ? .introduction : .serial,
        "\(place): \(what) came from thread \(thread) during a delivery on thread \(state.inside)")
    }
    state.depth += 1
    state.inside = thread
    if isIntroduction { state.isIntroducing = true }
  }

  private func leave() {
    state.change { state in
      state.depth -= 1
      if state.depth == 0 { state.isIntroducing = false }
    }
  }

  // MARK: From downstream

  func request(_ demand: Subscribers.Demand) {
    let upstream = state.change { state in
      state.granted += demand
      return state.upstream
    }
    upstream?.request(demand)
  }

  func cancel() {
    let upstream = state.change { $0.upstream.take() }
    upstream?.cancel()
    let thread = currentThreadNumber()
    let downstream = state.change { state in
      state.canceller = thread
      return state.downstream.take()
    }
    withExtendedLifetime((upstream, downstream)) {}
  }
}

/// The checks to make in addition to the rules that hold everywhere.
struct Checks: OptionSet {
  var rawValue: Int

  static let demand = Checks(rawValue: 1)
  static let order = Checks(rawValue: 2)
}

/// A publisher with a checkpoint below it.
struct Checked: Publisher {
  typealias Output = Item
  typealias Failure = Fault

  let upstream: Stream
  let place: String
  let checks: Checks
  let dwell: Int
  let world: World

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Fault {
    upstream.subscribe(
      Checkpoint(AnySubscriber(subscriber), place: place, checks: checks, dwell: dwell, in: world))
  }
}
