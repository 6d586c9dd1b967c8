// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator of the reference: a state, and one step for each event.
///
/// Written down from the documentation, without a look at how the library does it. A machine knows nothing of calls,
/// locks and threads: it says what happens in which order, and an ``Interpreter`` does it. What all operators have in
/// common is the interpreter's: nothing is delivered after an end or a cancel, and whatever is still subscribed to then
/// is cancelled, once.
protocol Machine: Sendable {
  mutating func step(_ event: StepEvent) -> [StepAction]
}

/// What happens to a machine.
enum StepEvent {
  /// A subscriber has come.
  case start
  /// The subscription of the upstream in a place has arrived.
  case subscribed(Int)
  case request(Amount)
  case value(Int, from: Int)
  case end(isFailure: Bool, from: Int)
  /// What the machine itself has asked for, by ``StepAction/again(_:)`` or ``StepAction/wake(after:_:)``.
  case go(Int)
}

/// What a machine does.
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
  /// The machine's next step, when what stands before it has been done.
  case again(Int)
  /// The same at a later time.
  case wake(after: Int, Int)

  /// From here on it is not documented what reaches the sources.
  case leaveOpen
  /// From here on not even the order of values is documented.
  case leaveUndetermined

  static var finish: StepAction { .end(isFailure: false) }
  static var fail: StepAction { .end(isFailure: true) }
}
