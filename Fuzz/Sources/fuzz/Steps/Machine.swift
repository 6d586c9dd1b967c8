// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator of the reference: a state, and one step for each event.
///
/// It is written from the documentation, without regard to the library's implementation. A machine knows nothing about
/// calls, locks and threads: it says what happens in which order, and an ``Interpreter`` does it. The interpreter also
/// does what all operators have in common: nothing is delivered after an end or a cancel, and upstreams that are still
/// subscribed to then are cancelled, once.
protocol Machine: Sendable {
  mutating func step(_ event: StepEvent) -> [StepAction]
}

/// An event for a machine.
enum StepEvent {
  /// A subscriber has come.
  case start
  /// The subscription of the upstream in a place has arrived.
  case subscribed(Int)
  case request(Amount)
  case value(Int, from: Int)
  case end(isFailure: Bool, from: Int)
  /// The step that the machine itself has asked for, by ``StepAction/again(_:)`` or ``StepAction/wake(after:_:)``.
  case go(Int)
}

/// An action of a machine.
///
/// Each action is done with all of its consequences before the next one.
enum StepAction {
  /// Subscribes, in a place, to one of the upstreams that the operator was given; for a value, if it depends on one.
  case subscribe(Int, upstream: Int, value: Int? = nil)
  /// Hands the subscription to downstream.
  case introduce
  case request(Amount, of: Int)
  case cancel(Int)
  case deliver(Int)
  case end(isFailure: Bool)
  /// The machine's next step, when the actions before it have been done.
  case again(Int)
  /// The machine's next step, at a later time.
  case wake(after: Int, Int)

  /// From here on, the documentation leaves open what reaches the sources.
  case leaveOpen
  /// From here on, the documentation leaves open even the order of values.
  case leaveUndetermined

  static var finish: StepAction { .end(isFailure: false) }
  static var fail: StepAction { .end(isFailure: true) }
}
