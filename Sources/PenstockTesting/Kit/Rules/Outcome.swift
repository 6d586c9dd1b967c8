// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The outcome of the check of one rule, always with the reason.
public enum Outcome: Sendable {
  /// The rule was kept in everything that was tried.
  case held(String)
  /// The rule is broken.
  case broken(Finding)
  /// The rule does not apply to this subject.
  case notApplicable(String)
  /// Nothing can be said, because something else went wrong first, or the system cannot run the check.
  case inconclusive(String)
  /// The rule is broken, and the subject's author has said why.
  case waived(String)
  /// The rule is broken or open, and the subject's author has said why that may be.
  case allowed(String)

  /// How a rule was broken.
  public struct Finding: Sendable {
    /// A description of what happened.
    public let text: String

    /// The run, as a table with the bad step marked; empty where there is none.
    public let trace: String

    /// How the subject has stopped the check, if that is what happened.
    public internal(set) var stop: Stop?

    /// Another broken rule whose break may have caused this one; `nil` for a break that stands on its own.
    public internal(set) var follows: Rule?

    /// The rule whose check has seen the break, if that is another one.
    public internal(set) var seenBy: Rule?

    init(text: String, trace: String, stop: Stop? = nil) { (self.text, self.trace, self.stop) = (text, trace, stop) }
  }

  /// A way in which a subject stops a check; it is a failure whatever the severity of the rule.
  public enum Stop: String, Sendable {
    /// A trap, a signal, or an exit of the process.
    case crash
    /// A call that does not return.
    case hang
  }

  /// The outcome in one word.
  public var word: String {
    switch self {
    case .held: "held"
    case .broken: "broken"
    case .notApplicable: "not applicable"
    case .inconclusive: "inconclusive"
    case .waived: "waived"
    case .allowed: "allowed"
    }
  }

  /// The reason in words.
  public var reason: String {
    switch self {
    case .held(let text), .notApplicable(let text), .inconclusive(let text), .waived(let text), .allowed(let text): text
    case .broken(let finding): finding.text
    }
  }

  /// Whether the rule is broken without a waiver.
  public var isBroken: Bool { if case .broken = self { true } else { false } }

  /// Whether nothing can be said.
  public var isOpen: Bool { if case .inconclusive = self { true } else { false } }
}
