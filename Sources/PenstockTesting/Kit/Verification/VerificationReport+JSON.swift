// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension VerificationReport {
  /// The report as JSON, for a program that reads it: an object with the name of the subject, the results in the order of
  /// the rules, and the identifiers of the waivers that are not used.
  ///
  /// ```swift
  /// let report = PublisherVerification("countdown").finite { (0..<$0).reversed().publisher }.report()
  /// print(report.json.prefix(24))
  /// // Prints "{"subject": "countdown","
  /// ```
  ///
  /// Each result has the members `rule`, `title`, `severity`, `outcome` and `reason`. The result of a broken rule has
  /// `trace` and `cause` as well, and if they apply `stop`, which is `crash` or `hang`; `follows`, the rule that may
  /// have caused the break; and `seenBy`, the rule whose check has seen it. All of them are strings.
  public var json: String {
    let lines = results.map { "    " + Self.object($0.members) }
    return """
      {"subject": \(Self.quoted(subject)), "results": [
      \(lines.joined(separator: ",\n"))
      ], "unusedWaivers": [\(unusedWaivers.map { Self.quoted($0.id) }.joined(separator: ", "))]}
      """
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0)): \(quoted($1))" }.joined(separator: ", ") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension VerificationResult {
  fileprivate var members: [(String, String)] {
    let common = [
      ("rule", rule.id), ("title", rule.title), ("severity", rule.severity.rawValue), ("outcome", outcome.word),
      ("reason", outcome.reason),
    ]
    guard case .broken(let finding) = outcome else { return common }
    // A stop of the process says itself why it happened.
    let cause = finding.stop == nil ? rule.cause : ""
    return common + [("trace", finding.trace), ("cause", cause)]
      + (finding.stop.map { [("stop", $0.rawValue)] } ?? []) + (finding.follows.map { [("follows", $0.id)] } ?? [])
      + (finding.seenBy.map { [("seenBy", $0.id)] } ?? [])
  }
}
