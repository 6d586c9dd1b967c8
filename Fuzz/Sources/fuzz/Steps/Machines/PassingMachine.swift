// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator that passes demand, and decides about each value when it comes.
struct PassingMachine<State: Sendable>: Machine {
  private var state: State
  private let choose: @Sendable (inout State, Int) -> PassingChoice
  private var isOver = false

  init(_ state: State, _ choose: @escaping @Sendable (inout State, Int) -> PassingChoice) {
    self.state = state
    self.choose = choose
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed: return [.introduce]
    // In the delivery of the last value: upstream is about to be cancelled.
    case .request(let amount): return isOver ? [.leaveOpen] : [.request(amount, of: 0)]
    case .value(let value, _):
      switch choose(&state, value) {
      case .emit(let output): return [.deliver(output)]
      case .skip: return [.request(Amount(1), of: 0)]
      case .last(let output):
        isOver = true
        return [.deliver(output), .finish]
      case .finish: return [.finish]
      case .fail: return [.fail]
      }
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .go: return []
    }
  }
}

/// The decision about a value.
enum PassingChoice {
  case emit(Int)
  /// Left out; another is requested in its place.
  case skip
  /// Delivered, and the stream finishes.
  case last(Int)
  case finish, fail
}

/// `dropFirst`: requests as many values more as it drops, when upstream's subscription arrives.
struct DropFirstMachine: Machine {
  private var left: Int
  /// The demand that was requested before upstream's subscription.
  private var waiting = Amount.none
  private var isSubscribed = false

  init(_ count: Int) { left = count }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.introduce, .subscribe(0, upstream: 0)]
    case .subscribed:
      isSubscribed = true
      let amount = waiting + Amount(left)
      return amount > .none ? [.request(amount, of: 0)] : []
    case .request(let amount):
      if isSubscribed { return [.request(amount, of: 0)] }
      waiting += amount
      return []
    case .value(let value, _):
      if left == 0 { return [.deliver(value)] }
      left -= 1
      return []
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .go: return []
    }
  }
}

/// `ignoreOutput`: requests unlimited values, and passes requests as well.
struct IgnoringMachine: Machine {
  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: [.subscribe(0, upstream: 0)]
    case .subscribed: [.introduce, .request(.unlimited, of: 0)]
    case .request(let amount): [.request(amount, of: 0)]
    case .end(let isFailure, _): [.end(isFailure: isFailure)]
    case .value, .go: []
    }
  }
}

/// `ignoreFailure`: passes everything, and finishes when upstream fails.
struct FailureIgnoringMachine: Machine {
  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: [.subscribe(0, upstream: 0)]
    case .subscribed: [.introduce]
    case .request(let amount): [.request(amount, of: 0)]
    case .value(let value, _): [.deliver(value)]
    case .end: [.finish]
    case .go: []
    }
  }
}
