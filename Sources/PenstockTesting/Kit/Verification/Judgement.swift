// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The findings that count as a failure of a verification.
public enum Judgement: Sendable {
  /// A broken rule that is not just a warning; anything that stops the process; an unused waiver; and a report in which
  /// most of the rules are inconclusive.
  case standard
  /// As `standard`, and in addition warnings and each inconclusive rule: for the operators of a library. An exception
  /// is waived, or allowed, with its reason.
  case strict
}
