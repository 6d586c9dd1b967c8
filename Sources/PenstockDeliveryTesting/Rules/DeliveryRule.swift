// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A rule that every engine of deliveries keeps, whichever broker is behind it.
///
/// Each has a permanent identifier, such as `D-13`, by which it is named in reports, in waivers and in the
/// documentation: see <doc:Rules>.
///
/// ```swift
/// let rule = DeliveryRule.named("D-13")!
/// print(rule)
/// // Prints "D-13 A delivery is settled once"
/// ```
public struct DeliveryRule: Hashable, Sendable, Identifiable, CustomStringConvertible {
  /// The identifier, such as `D-13`.
  public var id: String { check.rawValue }

  /// The requirement of the rule, in one line.
  public let title: String

  /// What goes wrong in a program if an engine breaks the rule.
  public let rationale: String

  /// What to do in an engine that breaks the rule.
  public let remedy: String

  /// How it is checked.
  let check: DeliveryCheck

  init(_ check: DeliveryCheck, _ title: String, rationale: String, remedy: String) {
    (self.check, self.title, self.rationale, self.remedy) = (check, title, rationale, remedy)
  }

  /// The identifier and the title.
  public var description: String { "\(id) \(title)" }

  /// Returns whether two rules have the same identifier.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.check == rhs.check }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(check) }

  /// All rules, in the order of the documentation: the arguments of a parameterised test.
  public static let all: [DeliveryRule] = ofDemand + ofSettling + ofConsumers + ofCapabilities

  /// Returns the rule with an identifier; `nil` if there is none.
  public static func named(_ id: String) -> DeliveryRule? { all.first { $0.id == id } }
}
