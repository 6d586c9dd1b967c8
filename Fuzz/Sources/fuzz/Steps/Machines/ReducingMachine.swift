// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator that requests everything, and delivers at most one result, once it is decided and requested.
struct ReducingMachine<State: Sendable>: Machine {
  private var state: State
  private let fold: @Sendable (inout State, Int) -> Bool
  private let result: @Sendable (State) -> Int?
  private var isRequested = false
  private var isDecided = false

  /// - Parameters:
  ///   - fold: Takes a value in, and returns whether the result is decided.
  ///   - result: The result, if there is one.
  init(
    _ state: State, _ fold: @escaping @Sendable (inout State, Int) -> Bool,
    _ result: @escaping @Sendable (State) -> Int?
  ) {
    self.state = state
    self.fold = fold
    self.result = result
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed: return [.introduce, .request(.unlimited, of: 0)]
    case .request:
      isRequested = true
      return answer()
    case .value(let value, _):
      guard fold(&state, value) else { return [] }
      isDecided = true
      return [.cancel(0)] + answer()
    case .end(isFailure: true, _): return [.fail]
    case .end(isFailure: false, _):
      isDecided = true
      return answer()
    case .go: return []
    }
  }

  private mutating func answer() -> [StepAction] {
    guard isDecided, isRequested else { return [] }
    // A request inside the delivery finds nothing any more.
    isDecided = false
    return (result(state).map { [.deliver($0)] } ?? []) + [.finish]
  }
}
