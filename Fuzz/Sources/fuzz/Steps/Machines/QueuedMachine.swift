// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator whose outputs may have to wait for demand.
struct QueuedMachine: Machine {
  enum Kind {
    case materialize, mapToResult
    case replaceEmpty(Int), replaceError(Int)
    case takeLast(Int)
    case collect(Int)
    case intersperse(Int)
  }

  private let kind: Kind
  private var demand = Amount.none
  private var outputs: [Int] = []
  private var isDelivering = false
  /// The end that follows the outputs, once it has come.
  private var ending: StepAction?
  /// The values that are kept for an output.
  private var kept: [Int] = []
  private var hasStarted = false
  /// Whether the value that `intersperse` has requested has not come yet.
  private var isWaiting = false
  private var hasAll = false

  init(_ kind: Kind) { self.kind = kind }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: 0)]
    case .subscribed:
      if case .takeLast = kind { return [.introduce, .request(.unlimited, of: 0)] }
      return [.introduce]
    case .request(let amount):
      demand += amount
      return passed(amount) + next()
    case .value(let value, _):
      receive(value)
      return next()
    case .end(let isFailure, _):
      finish(isFailure)
      return next()
    case .go:
      isDelivering = false
      return next()
    }
  }

  private func passed(_ amount: Amount) -> [StepAction] {
    switch kind {
    case .takeLast, .intersperse: []
    case .collect(let count): [.request(amount * count, of: 0)]
    case .materialize, .mapToResult, .replaceEmpty, .replaceError: [.request(amount, of: 0)]
    }
  }

  private mutating func receive(_ value: Int) {
    defer { hasStarted = true }
    switch kind {
    case .materialize, .mapToResult: outputs.append(value &* 2)
    case .replaceEmpty, .replaceError: outputs.append(value)
    case .takeLast(let count): kept = Array((kept + [value]).suffix(count))
    case .collect(let count):
      kept.append(value)
      if kept.count == count { collect() }
    case .intersperse(let separator):
      isWaiting = false
      outputs += hasStarted ? [separator, value] : [value]
    }
  }

  private mutating func collect() {
    outputs.append(kept.reduce(0, &+))
    kept = []
  }

  private mutating func finish(_ isFailure: Bool) {
    ending = .end(isFailure: isFailure)
    switch kind {
    case .materialize:
      outputs.append(isFailure ? -2 : -1)
      ending = .finish
    case .mapToResult:
      if isFailure { outputs.append(-2) }
      ending = .finish
    case .replaceEmpty(let value): if !isFailure, !hasStarted { outputs.append(value) }
    case .replaceError(let value):
      if isFailure { outputs.append(value) }
      ending = .finish
    case .takeLast: if !isFailure { outputs = kept }
    case .collect: if !isFailure, !kept.isEmpty { collect() }
    case .intersperse: break
    }
  }

  /// The next output, the end after the last one, or a request for more.
  private mutating func next() -> [StepAction] {
    if isDelivering { return [] }
    if !outputs.isEmpty, demand.take() {
      isDelivering = true
      return [.deliver(outputs.removeFirst()), .again(0)]
    }
    if outputs.isEmpty, let ending { return [ending] }
    guard case .intersperse = kind, outputs.isEmpty, demand > .none, !hasAll, !isWaiting else { return [] }
    if demand.isUnlimited {
      hasAll = true
      return [.request(.unlimited, of: 0)]
    }
    isWaiting = true
    return [.request(Amount(1), of: 0)]
  }
}
