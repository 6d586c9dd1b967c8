// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// The mistakes of operators, each of which breaks one rule.
enum OperatorFault: String, CaseIterable, Sendable {
  case subscribesTwice, passesOnSecondSubscription, requestsUnlimited, stallsAtSwallowed, forgetsCancel,
    runsOnAtEarlyEnd
  case parksFailure, clearsBufferAtEnd, keepsBuffer, retriesRecursively, forgetsDemandAtRetry, relaysSecondEnd
  case repeatsLatest, requestsZero, overwritesSubscription, unwrapsLastAtEnd, cancelsAfterEnd, unwrapsAfterCancel
  case keepsUpstream, overlooksClosure, releasesInsideLock, requestsOnBothThreads, finishesInPlaceOfFailure

  var rule: String {
    switch self {
    case .subscribesTwice: "O-01"
    case .passesOnSecondSubscription: "O-02"
    case .requestsUnlimited: "O-03"
    case .stallsAtSwallowed: "O-04"
    case .forgetsCancel: "O-05"
    case .runsOnAtEarlyEnd: "O-06"
    case .parksFailure: "O-07"
    case .clearsBufferAtEnd: "O-08"
    case .keepsBuffer: "O-09"
    case .retriesRecursively: "O-11"
    case .forgetsDemandAtRetry: "O-12"
    case .overlooksClosure: "O-13"
    case .relaysSecondEnd: "O-14"
    case .repeatsLatest: "O-16"
    case .requestsZero: "R-01"
    case .overwritesSubscription: "R-02"
    case .unwrapsLastAtEnd: "R-03"
    case .cancelsAfterEnd, .keepsUpstream: "R-04"
    case .unwrapsAfterCancel: "R-06"
    case .requestsOnBothThreads: "R-07"
    case .releasesInsideLock: "M-05"
    case .finishesInPlaceOfFailure: "P-09"
    }
  }
}

/// The behaviour of the zoo's operator when it keeps the rules: drops values, keeps some in a buffer, ends early, tries
/// again.
struct ZooPlan<Value>: Sendable {
  /// Whether a value is delivered; may throw.
  var isKept: @Sendable (Value) throws -> Bool = { _ in true }
  /// The number of values that are requested beyond downstream's demand.
  var prefetch = 0
  /// The number of values after which it ends.
  var limit: Int?
  /// The number of times that it subscribes again after a failure.
  var retries = 0
}

/// An operator that keeps all rules, or breaks one.
struct ZooOperator<Upstream: Publisher>: Publisher where Upstream.Failure == any Error {
  typealias Output = Upstream.Output
  typealias Failure = any Error

  let upstream: Upstream
  let plan: ZooPlan<Output>
  let fault: OperatorFault?

  init(_ upstream: Upstream, _ plan: ZooPlan<Output> = ZooPlan(), _ fault: OperatorFault?) {
    (self.upstream, self.plan, self.fault) = (upstream, plan, fault)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let link = ZooLink(AnySubscriber(subscriber), upstream, plan, fault)
    upstream.subscribe(ZooInlet(link: link))
    if fault == .subscribesTwice {
      upstream.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    }
  }
}

/// The subscriber that upstream sees; a new one for each attempt.
private struct ZooInlet<Upstream: Publisher>: Subscriber where Upstream.Failure == any Error {
  let link: ZooLink<Upstream>
  let combineIdentifier = CombineIdentifier()
  let attempt: Int

  init(link: ZooLink<Upstream>) {
    self.link = link
    attempt = link.attempt
  }

  func receive(subscription: any Subscription) { link.receive(subscription, attempt) }
  func receive(_ input: Upstream.Output) -> Subscribers.Demand { link.receive(input, attempt) }
  func receive(completion: Subscribers.Completion<any Error>) { link.receive(completion, attempt) }
}

private enum ZooAction { case refuse, introduce, again(Subscribers.Demand) }

private final class ZooLink<Upstream: Publisher>: Subscription, CustomStringConvertible
where Upstream.Failure == any Error {
  typealias Downstream = AnySubscriber<Upstream.Output, any Error>

  private enum Step {
    case value(Upstream.Output, Downstream)
    case end(Subscribers.Completion<any Error>, Downstream)
    case nothing
  }

  private let lock = ZooLock()
  private let source: Upstream
  private let plan: ZooPlan<Upstream.Output>
  private let fault: OperatorFault?
  private var downstream: Downstream?
  private let rogueDownstream: Downstream?
  private var upstream: (any Subscription)?
  private var keptUpstream: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private var queue: [Upstream.Output] = []
  private var keptQueue: [Upstream.Output] = []
  private var latest: Upstream.Output?
  private var end: Subscribers.Completion<any Error>?
  private var isBusy = true
  private var isIntroduced = false
  private var delivered = 0
  private(set) var attempt = 0
  private var isSubscribing = false
  private var mustRetry = false
  private var cancelled: (() -> Void)?

  init(_ downstream: Downstream, _ source: Upstream, _ plan: ZooPlan<Upstream.Output>, _ fault: OperatorFault?) {
    (self.downstream, self.source, self.plan, self.fault) = (downstream, source, plan, fault)
    rogueDownstream = fault == .relaysSecondEnd ? downstream : nil
  }

  var description: String { "Zoo" }

  // MARK: Upstream's calls

  func receive(_ subscription: any Subscription, _ attempt: Int) {
    let action: ZooAction = lock.withLock {
      guard attempt == self.attempt, downstream != nil, upstream == nil || fault == .overwritesSubscription else {
        return .refuse
      }
      upstream = subscription
      if fault == .keepsUpstream { keptUpstream = subscription }
      if isIntroduced { return fault == .overwritesSubscription ? .again(.none) : .again(demand) }
      isIntroduced = true
      return .introduce
    }
    switch action {
    case .refuse: subscription.cancel()
    case .again(let demand):
      if fault == .passesOnSecondSubscription { downstream?.receive(subscription: self) }
      if demand > .none, fault != .forgetsDemandAtRetry { subscription.request(demand) }
    case .introduce:
      lock.withLock { downstream }?.receive(subscription: self)
      if plan.prefetch > 0 { subscription.request(.max(plan.prefetch)) }
      lock.withLock { isBusy = false }
      drain()
    }
  }

  func receive(_ value: Upstream.Output, _ attempt: Int) -> Subscribers.Demand {
    if fault == .unwrapsAfterCancel, lock.withLock({ downstream == nil && end == nil }) { fatalError("unwrapped nil") }
    let isKept: Bool
    do { isKept = try plan.isKept(value) } catch {
      finish(.failure(error), cancels: fault != .overlooksClosure)
      return .none
    }
    guard isKept else {
      // By the other road, on upstream's thread, while downstream's thread may request as well.
      if fault == .requestsOnBothThreads { lock.withLock { upstream }?.request(.max(1)) }
      return fault == .stallsAtSwallowed || fault == .requestsOnBothThreads ? .none : .max(1)
    }
    lock.withLock {
      guard attempt == self.attempt, downstream != nil, end == nil else { return }
      queue.append(value)
      if fault == .keepsBuffer { keptQueue.append(value) }
    }
    drain()
    return .none
  }

  func receive(_ completion: Subscribers.Completion<any Error>, _ attempt: Int) {
    if fault == .unwrapsLastAtEnd, lock.withLock({ delivered == 0 && queue.isEmpty }) {
      fatalError("unexpectedly found no last value")
    }
    let old = lock.withLock { () -> (any Subscription)? in
      guard attempt == self.attempt else { return nil }
      return upstream
    }
    if fault == .cancelsAfterEnd { old?.cancel() }
    if fault == .relaysSecondEnd, lock.withLock({ downstream == nil }) {
      rogueDownstream?.receive(completion: completion)
    }
    // Released after the lock: releasing a value may call back.
    var freed: [Upstream.Output] = []
    let retries = lock.withLock { () -> Bool in
      guard attempt == self.attempt, downstream != nil, end == nil else { return false }
      upstream = nil
      if case .failure = completion, self.attempt < plan.retries {
        self.attempt += 1
        mustRetry = true
        return true
      }
      // Whatever the end is, the values that wait come first.
      let finishes = fault == .finishesInPlaceOfFailure && !queue.isEmpty
      end = finishes ? .finished : completion
      var clears = fault == .clearsBufferAtEnd
      if case .failure = completion { clears = fault != .parksFailure && !finishes }
      if clears { swap(&freed, &queue) }
      return false
    }
    freed = []
    if retries { retry() } else { drain() }
  }

  private func retry() {
    if fault == .retriesRecursively { return source.subscribe(ZooInlet(link: self)) }
    while true {
      let goes = lock.withLock { () -> Bool in
        guard !isSubscribing, mustRetry else { return false }
        (isSubscribing, mustRetry) = (true, false)
        return true
      }
      guard goes else { return }
      source.subscribe(ZooInlet(link: self))
      lock.withLock { isSubscribing = false }
    }
  }

  // MARK: Downstream's calls

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let (upstream, again) = lock.withLock { () -> ((any Subscription)?, Upstream.Output?) in
      self.demand += demand
      return (self.upstream, fault == .repeatsLatest ? latest : nil)
    }
    if let again { lock.withLock { queue.append(again) } }
    drain()
    upstream?.request(fault == .requestsUnlimited ? .unlimited : demand)
    if fault == .requestsZero { upstream?.request(.none) }
  }

  func cancel() { finish(nil, cancels: fault != .forgetsCancel) }

  private func finish(_ completion: Subscribers.Completion<any Error>?, cancels: Bool) {
    if fault == .releasesInsideLock { lock.withLock { queue = [] } }
    let (upstream, downstream, freed) = lock.withLock {
      defer { (self.upstream, self.downstream, queue, latest) = (nil, nil, [], nil) }
      return (self.upstream, self.downstream, queue)
    }
    _ = freed
    if cancels { upstream?.cancel() }
    if let completion { downstream?.receive(completion: completion) }
  }

  // MARK: Delivering

  private func drain() {
    let isFree = lock.withLock {
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return }
    while true {
      let step: Step = lock.withLock {
        guard let downstream else {
          isBusy = false
          return .nothing
        }
        if demand > .none, !queue.isEmpty {
          demand -= 1
          delivered += 1
          let value = queue.removeFirst()
          if fault == .repeatsLatest { latest = value }
          return .value(value, downstream)
        }
        if queue.isEmpty, let end, fault != .parksFailure || demand > .none || isFinished(end) {
          self.downstream = nil
          isBusy = false
          return .end(end, downstream)
        }
        isBusy = false
        return .nothing
      }
      switch step {
      case .nothing: return
      case .end(let completion, let downstream): return downstream.receive(completion: completion)
      case .value(let value, let downstream):
        let more = downstream.receive(value)
        if let limit = plan.limit, lock.withLock({ delivered == limit && self.downstream != nil }) {
          finish(.finished, cancels: fault != .runsOnAtEarlyEnd)
          continue
        }
        if more > .none {
          let (upstream, again) = lock.withLock { () -> ((any Subscription)?, Upstream.Output?) in
            demand += more
            return (self.upstream, fault == .repeatsLatest ? latest : nil)
          }
          if let again { lock.withLock { queue.append(again) } }
          upstream?.request(fault == .requestsUnlimited ? .unlimited : more)
        }
      }
    }
  }

  private func isFinished(_ end: Subscribers.Completion<any Error>) -> Bool {
    if case .finished = end { true } else { false }
  }
}
