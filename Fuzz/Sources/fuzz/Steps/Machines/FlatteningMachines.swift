// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `flatMap`: a number of values of upstream at a time, and one value at a time of each inner publisher.
struct FlatMapMachine: Machine {
  private let limit: Amount
  /// Whether values are ignored while an inner publisher runs.
  private let isFirst: Bool
  /// Whether upstream is asked for more only when the values of an inner publisher have been delivered.
  private let holdsBack: Bool
  /// The number of inner publishers that have ended, and for which upstream has not been asked for others.
  private var ended = 0
  private var demand = Amount.none
  private var last = 0
  private var live: [Int] = []
  private var hasUpstream = true
  private var waiting: [(place: Int, value: Int)] = []
  private var isDelivering = false
  /// The inner publishers whose values have been delivered, and which are then asked for others.
  private var owed: [Int] = []
  private var isUnlimited = false

  init(limit: Amount, isFirst: Bool = false, holdsBack: Bool = false) {
    self.limit = limit
    self.isFirst = isFirst
    self.holdsBack = holdsBack
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0)]
    case .subscribed(0): return [.request(limit, of: 0)]
    case .subscribed(let place): return [.request(demand.isUnlimited ? .unlimited : Amount(1), of: place)]
    case .request(let amount):
      demand += amount
      return next()
    case .value(let value, 0):
      if isFirst, !live.isEmpty { return [] }
      last += 1
      live.append(last)
      return [.subscribe(last, upstream: 1, value: value)]
    case .value(let value, let place):
      waiting.append((place, value))
      return next()
    case .end(isFailure: true, _): return [.fail]
    case .end(isFailure: false, 0):
      hasUpstream = false
      return next()
    case .end(isFailure: false, let place):
      live.removeAll { $0 == place }
      if holdsBack {
        ended += 1
        return next()
      }
      return (hasUpstream && !limit.isUnlimited ? [.request(Amount(1), of: 0)] : []) + [.again(1)]
    case .go(let tag):
      if tag == 0 { isDelivering = false }
      return next()
    }
  }

  private mutating func next() -> [StepAction] {
    if isDelivering { return [] }
    if let first = waiting.first, demand.take() {
      waiting.removeFirst()
      isDelivering = true
      owed.append(first.place)
      return [.deliver(first.value), .again(0)]
    }
    if !hasUpstream, live.isEmpty, waiting.isEmpty { return [.finish] }
    if holdsBack, ended > 0, waiting.isEmpty {
      defer { ended = 0 }
      return hasUpstream ? [.request(Amount(ended), of: 0), .again(1)] : []
    }
    defer { owed = [] }
    if demand.isUnlimited {
      if isUnlimited { return [] }
      isUnlimited = true
      // The order in which several answer is not documented.
      return (live.count > 1 ? [.leaveUndetermined] : []) + owed.map { .request(Amount(1), of: $0) }
        + live.map { .request(.unlimited, of: $0) }
    }
    return owed.filter { live.contains($0) }.map { .request(Amount(1), of: $0) }
  }
}

/// `flatMapSequential`: a number of values of each inner publisher, delivered in the order of upstream's values.
struct FlatMapSequentialMachine: Machine {
  private let limit: Amount
  private let prefetch: Int
  private var demand = Amount.none
  private var last = 0
  private var hasUpstream = true
  /// The inner publishers that have not been delivered to their ends, in order.
  private var order: [Int] = []
  private var live: Set<Int> = []
  private var waiting: [Int: [Int]] = [:]
  private var isDelivering = false
  /// The inner publishers whose values have been delivered, and which are then asked for others.
  private var owed: [Int] = []
  /// The number of inner publishers for which upstream is asked for others.
  private var over = 0

  init(limit: Amount, prefetch: Int) {
    self.limit = limit
    self.prefetch = prefetch
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0)]
    case .subscribed(0): return [.request(limit, of: 0)]
    case .subscribed(let place): return [.request(Amount(prefetch), of: place)]
    case .request(let amount):
      demand += amount
      return next()
    case .value(let value, 0):
      last += 1
      order.append(last)
      live.insert(last)
      return [.subscribe(last, upstream: 1, value: value)]
    case .value(let value, let place):
      waiting[place, default: []].append(value)
      return next()
    case .end(isFailure: true, _): return [.fail]
    case .end(isFailure: false, 0):
      hasUpstream = false
      return next()
    case .end(isFailure: false, let place):
      live.remove(place)
      return next()
    case .go:
      isDelivering = false
      return next()
    }
  }

  private mutating func next() -> [StepAction] {
    if isDelivering { return [] }
    while let place = order.first {
      if let value = waiting[place]?.first {
        guard demand.take() else { break }
        waiting[place]?.removeFirst()
        isDelivering = true
        owed.append(place)
        return [.deliver(value), .again(0)]
      }
      if live.contains(place) { break }
      order.removeFirst()
      over += 1
    }
    if !hasUpstream, order.isEmpty { return [.finish] }
    defer { (owed, over) = ([], 0) }
    let upstream: [StepAction] = hasUpstream && over > 0 && !limit.isUnlimited ? [.request(Amount(over), of: 0)] : []
    // Whether several are asked for together is not documented.
    return (over > 1 ? [.leaveOpen] : []) + upstream
      + owed.filter { live.contains($0) }.map { .request(Amount(1), of: $0) }
  }
}

/// `switchToLatest`: demand that one inner publisher has not met is requested from the next.
struct SwitchMachine: Machine {
  private var demand = Amount.none
  private var latest = 0
  private var isRunning = false
  private var isSubscribed = false
  private var hasUpstream = true

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0)]
    case .subscribed(0): return [.request(.unlimited, of: 0)]
    case .subscribed(let place):
      isSubscribed = true
      return demand > .none ? [.request(demand, of: place)] : []
    case .request(let amount):
      demand += amount
      return isRunning && isSubscribed ? [.request(amount, of: latest)] : []
    case .value(let value, 0):
      let cancels: [StepAction] = isRunning ? [.cancel(latest)] : []
      latest += 1
      (isRunning, isSubscribed) = (true, false)
      return cancels + [.subscribe(latest, upstream: 1, value: value)]
    case .value(let value, _): return demand.take() ? [.deliver(value)] : []
    case .end(isFailure: true, _): return [.fail]
    case .end(isFailure: false, let place):
      if place == 0 { hasUpstream = false } else { isRunning = false }
      return hasUpstream || isRunning ? [] : [.finish]
    case .go: return []
    }
  }
}
