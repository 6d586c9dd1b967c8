// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A mistake of the caller's, with the rule that it breaks and the way to fix it.
///
/// Every trap of the library goes through ``trap(_:file:line:)``, so that each message names both.
@usableFromInline
package enum Violation: Sendable {
  /// `request(.none)` on a subscription that counts demand.
  case requestedNothing
  /// `.max(n)` with a negative `n`.
  case negativeDemand
  /// Subtraction that would make a demand negative.
  case demandBelowZero
  /// Demand multiplied by a negative number.
  case negativeFactor
  /// A negative number of values to drop, keep or collect.
  case negativeCount(operator: String)
  /// A number of values that has to be at least one, and is not.
  case countBelowOne(operator: String)
  /// A range with a negative bound, with bounds in the wrong order, or with an upper bound that has no successor.
  case boundOutOfRange(operator: String)
  /// A value, a completion or a request before the subscription.
  case beforeSubscription(operator: String, signal: String)
  /// A value without demand, where an operator has to debit it.
  case unrequestedValue(operator: String)
  /// A second failure from the same upstream.
  case secondFailure(operator: String)
  /// A second subscriber of a publisher that takes one.
  case secondSubscriber(of: String)
  /// A retry policy with a component out of range.
  case unfitPolicy(rule: String, given: String)
  /// An argument out of range.
  case unfitArgument(of: String, rule: String, given: String)
  /// A stage of the user's that does not meet the requirements of its protocol.
  case unfitStage(String, rule: String, fix: String)
  /// A value added to a recording that already has its completion.
  case recordingContinued
  /// A second completion of a recording.
  case recordingCompletedTwice
  /// A scheduler whose only purpose is to show that nothing uses it.
  case unimplementedScheduler(name: String, use: String)
  /// A clock whose only purpose is to show that nothing uses it.
  case unimplementedClock(name: String, use: String)
  /// Virtual time moved into the past.
  case timeTurnedBack
  /// Work on a virtual-time scheduler that reschedules itself without virtual time advancing.
  case endlessInstant(pending: [String])
  /// A member that Combine marks unavailable at compile time.
  case unavailable(what: String, instead: String)
  /// A state that the library promises never to reach; noticed only in builds with the define `PENSTOCK_CHECKS`.
  case brokenInvariant(String)

  package var message: String {
    switch self {
    case .requestedNothing:
      "A subscription was asked for no values: request(.none). Ask for at least .max(1), or do not call request(_:)."
    case .negativeDemand:
      "A demand cannot be negative: Subscribers.Demand.max(_:) takes 0 or more."
    case .demandBelowZero:
      "A demand cannot fall below zero: more was subtracted than was there. Compare before subtracting."
    case .negativeFactor:
      "A demand cannot be multiplied by a negative number. Use a factor of 0 or more."
    case .negativeCount(let name):
      "\(name) takes a count of 0 or more, but was given a negative one. Clamp the count before you pass it."
    case .countBelowOne(let name):
      "\(name) takes a count of 1 or more, but was given a smaller one. Clamp the count before you pass it."
    case .boundOutOfRange(let name):
      "\(name) takes positions from 0 up to, but not including, Int.max, in this order. Clamp the bounds before you pass them."
    case .beforeSubscription(let name, let signal):
      "\(name) received \(signal) before a subscription. Call receive(subscription:) first, and request only from it."
    case .unrequestedValue(let name):
      "\(name) received a value that was not requested. A publisher delivers at most as many values as it was asked for."
    case .secondFailure(let name):
      "\(name) received a second failure from the same upstream. A publisher completes at most once."
    case .secondSubscriber(let name):
      "\(name) takes one subscriber, but got a second. Put share() or multicast(_:) behind it, and subscribe to that."
    case .unfitPolicy(let rule, let given):
      "A retry policy takes \(rule), but was given \(given). Clamp the value before you pass it."
    case .unfitArgument(let name, let rule, let given):
      "\(name) takes \(rule), but was given \(given). Clamp the value before you pass it."
    case .unfitStage(let name, let rule, let fix):
      "\(name): \(rule). \(fix)"
    case .recordingContinued:
      "A recording that has its completion takes no more values. Record every value before the completion."
    case .recordingCompletedTwice:
      "A recording takes one completion, but was given a second. Call receive(completion:) once."
    case .unimplementedScheduler(let name, let use):
      "The unimplemented scheduler \(name) was asked \(use). Give the code that used it a scheduler that works, such as "
        + "one with virtual time."
    case .unimplementedClock(let name, let use):
      "The unimplemented clock \(name) was asked \(use). Give the code that used it a clock that works, such as the one of a "
        + "VirtualTimeScheduler."
    case .timeTurnedBack:
      "Virtual time goes forward only. Advance by 0 or more, and to the present or later."
    case .endlessInstant(let pending):
      "More than 100,000 actions have run at one instant of virtual time, and these are left: "
        + "\(pending.joined(separator: "; ")). Give repeating work an interval, or cancel it."
    case .unavailable(let what, let instead):
      "\(what) cannot be used. \(instead)"
    case .brokenInvariant(let what):
      "An invariant is broken: \(what). Either two threads deliver to one subscriber at a time, which a publisher must not "
        + "do, or this is a defect of the library: report it."
    }
  }
}

/// Stops the process, in every build configuration, with a message that names the rule and the fix.
///
/// `precondition` would drop its message in release builds.
@usableFromInline
@inline(never)
package func trap(_ violation: Violation, file: StaticString = #fileID, line: UInt = #line) -> Never {
  #if PENSTOCK_EXPLORER
    interleavingScheduler?.trapped(violation.message)
  #endif
  fatalError("Penstock: " + violation.message, file: file, line: line)
}

/// Stops the process if an argument does not fit.
///
/// The condition says what has to hold, so "not a number" traps, too. The words are made only on the way to a trap.
@inlinable
package func require(
  _ holds: Bool, of name: @autoclosure () -> String, rule: @autoclosure () -> String, given: @autoclosure () -> Any,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !holds { trap(Violation.unfitArgument(of: name(), rule: rule(), given: "\(given())"), file: file, line: line) }
}

/// Gives the message to a closure of the user's, and stops the process only if there is none.
package func trap(
  _ violation: Violation, orReportTo report: ((String) -> Void)?, file: StaticString = #fileID, line: UInt = #line
) {
  guard let report else { trap(violation, file: file, line: line) }
  report(violation.message)
}

/// Stops the process with the user's own message, for `assertNoFailure`.
@usableFromInline
@inline(never)
package func trap(asserting message: String, file: StaticString, line: UInt) -> Never {
  fatalError(message, file: file, line: line)
}
