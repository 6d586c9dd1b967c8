// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A rule of the contract between publishers, subscriptions, subscribers, operators, subjects and schedulers.
///
/// Each has a permanent identifier, such as `P-03`, by which it is named in reports, in waivers and in the
/// documentation: see <doc:Rules>.
public struct Rule: Hashable, Sendable, Identifiable, CustomStringConvertible {
  /// The effect of a break of a rule on a program.
  public enum Severity: String, Sendable {
    /// A crash, a deadlock, a data race, or a stack that overflows.
    case fatal
    /// The contract is broken.
    case error
    /// Harmful, though Combine tolerates it: reported, but not a failure.
    case warning
  }

  /// How the kit finds a break.
  public enum Detection: String, Sendable {
    /// A script on one thread: the same in each run.
    case deterministic
    /// Two threads, of which one is held inside a callback: the bad interleaving is forced, and needs no luck.
    case gated
    /// Threads that race freely: a pass is worth as much as the overlap that was reached.
    case stress
    /// Virtual time.
    case virtualTime
    /// Weak references.
    case weakReference
    /// A child process, because a break crashes or hangs.
    case childProcess
  }

  /// The identifier, such as `P-03`.
  public let id: String

  /// The requirement of the rule, in one line.
  public let title: String

  /// The effect of a break.
  public let severity: Severity

  /// How a break is found.
  public let detection: [Detection]

  /// The usual reason of a break.
  public let cause: String

  init(_ id: String, _ severity: Severity, _ detection: [Detection], _ title: String, cause: String) {
    (self.id, self.severity, self.detection, self.title, self.cause) = (id, severity, detection, title, cause)
  }

  /// The identifier and the title.
  public var description: String { "\(id) \(title)" }

  /// Returns whether two rules have the same identifier.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// All rules, in the order of the documentation.
  public static let all: [Rule] =
    ofPublishers + ofSubscriptions + ofSubscribers + ofOperators + ofSubjects + ofTime + ofLifetime + ofThreads

  /// The rule with an identifier.
  public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
