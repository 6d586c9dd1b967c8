// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `zip` and `combineLatest` of two: demand is passed to both; demand during a delivery is passed when that is over.
struct TupleMachine: Machine {
  enum Kind { case zip, combineLatest }

  private let kind: Kind
  /// Whether the two are a list: how many of a list are asked when one ends at once is not documented.
  private let isList: Bool
  /// Whether the demand that was requested with the subscription has been passed, and answered.
  private var hasBegun = false
  /// The values that `zip` keeps, or the latest of `combineLatest`.
  private var values: [[Int]] = [[], []]
  private var hasEnded = [false, false]
  /// Before the subscription has been handed over.
  private var hasFailed = false
  private var subscriptions = 0
  private var isIntroduced = false
  private var demand = Amount.none
  private var isDelivering = false
  /// The demand that is requested during a delivery, one request after the other.
  private var later: [Amount] = []

  init(_ kind: Kind, isList: Bool = false) {
    self.kind = kind
    self.isList = isList
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start:
      return [.subscribe(0, upstream: 0), .subscribe(1, upstream: 1)] + (kind == .combineLatest ? [.again(1)] : [])
    case .subscribed:
      subscriptions += 1
      return kind == .zip && subscriptions == 2 ? introduce() : []
    case .request(let amount):
      demand += amount
      if !isDelivering { return [.request(amount, of: 0), .request(amount, of: 1)] }
      later.append(amount)
      return []
    case .value(let value, let place):
      if kind == .combineLatest { values[place] = [] }
      values[place].append(value)
      return tuple()
    case .end(isFailure: true, _):
      hasFailed = true
      return isIntroduced ? over(.fail) : []
    case .end(isFailure: false, let place):
      hasEnded[place] = true
      return next()
    case .go(1): return introduce()
    case .go(2):
      isIntroduced = true
      isDelivering = false
      return next() + [.again(3)]
    case .go(3):
      hasBegun = true
      return []
    case .go:
      isDelivering = false
      return next()
    }
  }

  private func over(_ end: StepAction) -> [StepAction] { (isList && !hasBegun ? [.leaveOpen] : []) + [end] }

  /// Demand that is requested meanwhile is passed afterwards.
  private mutating func introduce() -> [StepAction] {
    isDelivering = true
    return [.introduce, .again(2)]
  }

  private mutating func tuple() -> [StepAction] {
    guard let first = values[0].first, let second = values[1].first, !isDelivering else { return [] }
    switch kind {
    case .zip: for place in 0...1 { values[place].removeFirst() }
    // Only requested tuples; a value without demand is part of the next tuple.
    case .combineLatest: if !demand.take() { return [] }
    }
    isDelivering = true
    return [.deliver(first &* 5 &+ second), .again(0)]
  }

  private mutating func next() -> [StepAction] {
    if isDelivering || !isIntroduced { return [] }
    if hasFailed { return over(.fail) }
    let isOver =
      switch kind {
      // No pair is possible any more.
      case .zip: (0...1).contains { hasEnded[$0] && values[$0].isEmpty }
      case .combineLatest: hasEnded == [true, true]
      }
    if isOver { return over(.finish) }
    defer { later = [] }
    // Whether a request is answered before the next one is passed is not documented.
    return (later.count > 1 ? [.leaveOpen] : []) + later.flatMap { [.request($0, of: 0), .request($0, of: 1)] }
  }
}

/// `merge` of two: one value at a time is requested from each, and waits while there is no demand.
struct MergeMachine: Machine {
  private var waiting: [Int?] = [nil, nil]
  private var isLive = [false, false]
  private var running = 2
  private var demand = Amount.none
  private var isDelivering = false
  /// The upstreams whose values have been delivered, and which are then asked for others.
  private var owed: [Int] = []
  private var isUnlimited = false

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0), .subscribe(1, upstream: 1)]
    case .subscribed(let place):
      isLive[place] = true
      return [.request(demand.isUnlimited ? .unlimited : Amount(1), of: place)]
    case .request(let amount):
      demand += amount
      return next()
    case .value(let value, let place):
      waiting[place] = value
      return next()
    case .end(isFailure: true, _): return [.fail]
    case .end(isFailure: false, let place):
      isLive[place] = false
      running -= 1
      return next()
    case .go:
      isDelivering = false
      return next()
    }
  }

  private mutating func next() -> [StepAction] {
    if isDelivering { return [] }
    if let place = waiting.firstIndex(where: { $0 != nil }), let value = waiting[place], demand.take() {
      waiting[place] = nil
      isDelivering = true
      owed.append(place)
      return [.deliver(value), .again(0)]
    }
    if running == 0, waiting.allSatisfy({ $0 == nil }) { return [.finish] }
    defer { owed = [] }
    if demand.isUnlimited {
      if isUnlimited { return [] }
      isUnlimited = true
      return (0...1).filter { isLive[$0] }.map { .request(.unlimited, of: $0) }
    }
    return owed.filter { isLive[$0] }.map { .request(Amount(1), of: $0) }
  }
}

/// `amb`: asks both until one of them delivers or ends, and uses only that one from then on.
struct AmbMachine: Machine {
  private var demand = Amount.none
  private var winner: Int?
  private var isSubscribed = [false, false]

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0), .again(0)]
    // Not if the first has delivered at once.
    case .go: return winner == nil ? [.subscribe(1, upstream: 1)] : []
    case .subscribed(let place):
      isSubscribed[place] = true
      return demand > .none ? [.request(demand, of: place)] : []
    case .request(let amount):
      if let winner { return [.request(amount, of: winner)] }
      demand += amount
      return (0...1).filter { isSubscribed[$0] }.map { .request(amount, of: $0) }
    case .value(let value, let place):
      let isFirst = winner == nil
      winner = place
      return (isFirst ? [.cancel(1 - place)] : []) + [.deliver(value)]
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    }
  }
}
