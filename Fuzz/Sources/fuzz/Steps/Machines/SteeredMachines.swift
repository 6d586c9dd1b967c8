// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `withLatestFrom`: requests everything from the other, and another value for each that comes before its first.
struct WithLatestMachine: Machine {
  private var latest: Int?
  private var isSubscribed = false
  /// The demand that was requested before upstream's subscription.
  private var waiting = Amount.none

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(1, upstream: 1), .subscribe(0, upstream: 0)]
    case .subscribed(1): return [.request(.unlimited, of: 1)]
    case .subscribed:
      isSubscribed = true
      return waiting > .none ? [.request(waiting, of: 0)] : []
    case .request(let amount):
      if isSubscribed { return [.request(amount, of: 0)] }
      waiting += amount
      return []
    case .value(let value, 1):
      latest = value
      return []
    case .value(let value, _): return latest.map { [.deliver(value &* 5 &+ $0)] } ?? [.request(Amount(1), of: 0)]
    // Without a value there can be no output.
    case .end(let isFailure, 1): return isFailure || latest == nil ? [.end(isFailure: isFailure)] : []
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .go: return []
    }
  }
}

/// `withLatestFrom` of two: the latest values of both others, as their `combineLatest` has them.
struct WithLatestOfTwoMachine: Machine {
  private var latest: [Int?] = [nil, nil]
  private var hasEnded = [false, false]
  private var hasOthers = false
  private var isSubscribed = false
  /// The demand that was requested before upstream's subscription.
  private var waiting = Amount.none

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(1, upstream: 1), .subscribe(2, upstream: 2), .again(0)]
    case .subscribed(0):
      isSubscribed = true
      return waiting > .none ? [.request(waiting, of: 0)] : []
    case .subscribed: return []
    case .go:
      hasOthers = true
      return [.request(.unlimited, of: 1), .request(.unlimited, of: 2), .subscribe(0, upstream: 0)]
    case .request(let amount):
      if isSubscribed { return [.request(amount, of: 0)] }
      waiting += amount
      return []
    case .value(let value, 0):
      guard let first = latest[0], let second = latest[1] else { return [.request(Amount(1), of: 0)] }
      return [.deliver(value &* 5 &+ first &* 3 &+ second)]
    case .value(let value, let place):
      latest[place - 1] = value
      return []
    case .end(let isFailure, 0): return [.end(isFailure: isFailure)]
    // Whether the second is subscribed to when the first has failed at once is not documented.
    case .end(isFailure: true, _): return (hasOthers ? [] : [.leaveOpen]) + [.fail]
    case .end(isFailure: false, let place):
      hasEnded[place - 1] = true
      // Without a value of each there can be no output any more, but that is known only when both have finished.
      return hasEnded == [true, true] && latest.contains(nil) ? [.finish] : []
    }
  }
}

/// `prefix(untilOutputFrom:)`: requests one value of the other, whose end does not matter.
struct PrefixUntilMachine: Machine {
  private var isIntroduced = false
  private var hasFired = false
  /// The demand that was requested while the subscription was handed over.
  private var waiting: [Amount] = []

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(1, upstream: 1), .subscribe(0, upstream: 0)]
    case .subscribed(1): return [.request(Amount(1), of: 1)]
    case .subscribed: return hasFired ? [.introduce, .finish] : [.introduce, .again(0)]
    case .request(let amount):
      if isIntroduced { return [.request(amount, of: 0)] }
      waiting.append(amount)
      return []
    case .value(_, 1):
      hasFired = true
      return isIntroduced ? [.finish] : [.leaveOpen, .cancel(1)]
    case .value(let value, _): return [.deliver(value)]
    case .end(_, 1): return []
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .go:
      isIntroduced = true
      return waiting.map { .request($0, of: 0) }
    }
  }
}

/// `drop(untilOutputFrom:)`: dropped values use up demand; the other's end without a value is the end.
struct DropUntilMachine: Machine {
  private var isOpen = false
  private var isSubscribed = false
  private var waiting = Amount.none
  private var ending: Bool?

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(1, upstream: 1), .subscribe(0, upstream: 0)]
    case .subscribed(1): return [.request(Amount(1), of: 1)]
    case .subscribed:
      isSubscribed = true
      if let ending { return [.end(isFailure: ending)] }
      return waiting > .none ? [.request(waiting, of: 0)] : []
    case .request(let amount):
      if isSubscribed { return [.request(amount, of: 0)] }
      waiting += amount
      return []
    case .value(_, 1):
      isOpen = true
      return []
    case .value(let value, _): return isOpen ? [.deliver(value)] : []
    case .end(let isFailure, 1):
      if isOpen { return [] }
      if isSubscribed { return [.end(isFailure: isFailure)] }
      // Upstream is subscribed to nevertheless, and cancelled.
      ending = isFailure
      return [.leaveOpen]
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .go: return []
    }
  }
}
