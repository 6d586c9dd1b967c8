// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `buffer`: stores values that have not been requested.
struct BufferMachine: Machine {
  enum Policy { case dropNewest, dropOldest, fail }

  private enum Ending { case finished, failed, overflowed }

  private let size: Int
  private let keepsFull: Bool
  private let policy: Policy
  private var demand = Amount.none
  private var values: [Int] = []
  private var ending: Ending?
  private var isDelivering = false
  /// Whether anything has been requested since an overflow.
  private var isRequested = false
  /// Upstream may deliver, and end, before the subscriber has its subscription.
  private var isIntroduced = false
  /// The number of values that have been delivered, and are to be requested again.
  private var owed = 0

  init(_ size: Int, keepsFull: Bool, _ policy: Policy) {
    self.size = size
    self.keepsFull = keepsFull
    self.policy = policy
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed: return [.request(keepsFull ? Amount(size) : .unlimited, of: 0), .introduce, .again(1)]
    case .request(let amount):
      demand += amount
      isRequested = true
      isIntroduced = true
      return next()
    case .value(let value, _):
      if ending != nil { return [] }
      if values.count < size {
        values.append(value)
      } else if policy == .dropOldest {
        values = Array((values + [value]).dropFirst())
      } else if policy == .fail {
        ending = .overflowed
        isRequested = false
        return [.cancel(0)]
      }
      return next()
    case .end(let isFailure, _):
      ending = isFailure ? .failed : .finished
      return next()
    case .go(1):
      isIntroduced = true
      return next()
    case .go:
      isDelivering = false
      return next()
    }
  }

  private mutating func next() -> [StepAction] {
    if isDelivering { return [] }
    if !values.isEmpty, demand.take() {
      isDelivering = true
      owed += 1
      return [.deliver(values.removeFirst()), .again(0)]
    }
    switch isIntroduced ? ending : nil {
    case .failed: return [.fail]
    case .finished where values.isEmpty && demand > .none: return [.finish]
    case .overflowed where isRequested: return [.fail]
    default: break
    }
    defer { owed = 0 }
    return keepsFull && owed > 0 ? [.request(Amount(owed), of: 0)] : []
  }
}
