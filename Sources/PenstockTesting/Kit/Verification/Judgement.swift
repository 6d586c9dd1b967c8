// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What counts as a failure of a verification.
public enum Judgement: Sendable {
  /// A rule that is broken and no mere warning; anything that stops the process; a waiver that is not used; and a report in
  /// which nothing can be said of most of the rules.
  case standard
  /// As `standard`, and warnings as well, and each rule of which nothing can be said: what a library wants of its own
  /// operators. An exception is waived, or allowed, with its reason.
  case strict
}
