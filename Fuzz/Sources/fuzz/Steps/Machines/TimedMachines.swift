// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `delay`: passes demand, and delivers everything later.
struct DelayMachine: Machine {
  private let time: Int
  private var waiting: [StepAction] = []

  init(_ time: Int) { self.time = time }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed: return [.introduce]
    case .request(let amount): return [.request(amount, of: 0)]
    case .value(let value, _): waiting.append(.deliver(value))
    case .end(let isFailure, _): waiting.append(.end(isFailure: isFailure))
    case .go: return [waiting.removeFirst()]
    }
    return [.wake(after: time, 0)]
  }
}

/// `debounce`: requests everything; a value that is not requested when it is due is dropped.
struct DebounceMachine: Machine {
  private let time: Int
  private var demand = Amount.none
  private var number = 0
  private var latest: Int?
  private var ending: StepAction?

  init(_ time: Int) { self.time = time }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed: return [.introduce, .request(.unlimited, of: 0)]
    case .request(let amount):
      demand += amount
      return []
    case .value(let value, _):
      latest = value
      number += 1
      return [.wake(after: time, number)]
    case .end(let isFailure, _):
      latest = nil
      ending = .end(isFailure: isFailure)
      return [.wake(after: 0, 0)]
    case .go(0): return ending.map { [$0] } ?? []
    case .go(let tag):
      guard tag == number, let value = latest, demand.take() else { return [] }
      return [.deliver(value)]
    }
  }
}
