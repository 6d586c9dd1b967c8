// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A mistake in a machine of the reference: the comparison has to find it.
///
/// A comparison finds differences, so a mistake in the reference shows in the same way as one in the library.
enum StepFault: String, CaseIterable, Sendable {
  /// Demand that is requested from an upstream is added twice.
  case demandTwice
  /// The third request from downstream is forgotten.
  case requestForgotten
  /// The third value is not delivered.
  case valueLost
  /// The second value is delivered twice.
  case valueTwice
  /// The upstream is cancelled with the second value.
  case cancelledEarly
  /// The end is not passed on.
  case endLost
  /// A failure becomes a finish.
  case failureFinishes

  /// The operators with the mistake.
  func rows(in rows: [StepOperator]) -> [StepOperator] {
    rows.map { row in
      row.with { number in FaultyMachine(row.machine(number), self) }
    }
  }
}

/// A machine with a mistake.
private struct FaultyMachine: Machine {
  private var machine: any Machine
  private let fault: StepFault
  private var requests = 0
  private var values = 0

  init(_ machine: any Machine, _ fault: StepFault) {
    self.machine = machine
    self.fault = fault
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    if case .request = event {
      requests += 1
      if fault == .requestForgotten, requests == 3 { return [] }
    }
    var actions: [StepAction] = []
    for action in machine.step(event) { actions += changed(action) }
    return actions
  }

  private mutating func changed(_ action: StepAction) -> [StepAction] {
    switch action {
    case .request(let amount, let place) where fault == .demandTwice: return [.request(amount * 2, of: place)]
    case .end where fault == .endLost: return []
    case .end where fault == .failureFinishes: return [.finish]
    case .deliver:
      values += 1
      if fault == .valueLost, values == 3 { return [] }
      if fault == .valueTwice, values == 2 { return [action, action] }
      if fault == .cancelledEarly, values == 2 { return [action, .cancel(0)] }
      return [action]
    default: return [action]
    }
  }
}
