// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Delivers values inside the requests for them.
///
/// The end follows the last value without a request.
struct SequenceMachine: Machine {
  private var left: ArraySlice<Int>
  private let isFailing: Bool
  private var demand = Amount.none
  private var isDelivering = false

  init(_ values: [Int], isFailing: Bool = false) {
    left = values[...]
    self.isFailing = isFailing
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return left.isEmpty ? [.introduce, .end(isFailure: isFailing)] : [.introduce]
    case .request(let amount):
      demand += amount
      return isDelivering ? [] : next()
    case .go:
      isDelivering = false
      return left.isEmpty ? [.end(isFailure: isFailing)] : next()
    case .subscribed, .value, .end: return []
    }
  }

  private mutating func next() -> [StepAction] {
    guard let value = left.first, demand.take() else { return [] }
    left.removeFirst()
    isDelivering = true
    return [.deliver(value), .again(0)]
  }
}

/// Delivers the values that are sent to it, and drops those that have not been requested.
struct SubjectMachine: Machine {
  /// Whether it has failed, if it has ended before the subscription.
  private let hasFailed: Bool?
  private var demand = Amount.none

  init(hasFailed: Bool?) { self.hasFailed = hasFailed }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return hasFailed.map { [.introduce, .end(isFailure: $0)] } ?? [.introduce]
    case .request(let amount):
      demand += amount
      return []
    case .value(let value, _): return demand.take() ? [.deliver(value)] : []
    case .end(let isFailure, _): return [.end(isFailure: isFailure)]
    case .subscribed, .go: return []
    }
  }
}
