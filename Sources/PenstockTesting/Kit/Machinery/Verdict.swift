// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How a check ends before it has come through: what comes through has held.
enum Verdict: Error {
  case broken(String, trace: String)
  case notApplicable(String)
  case inconclusive(String)
}

extension Outcome {
  init(_ verdict: Verdict) {
    switch verdict {
    case .broken(let text, let trace): self = .broken(Finding(text: text, trace: trace))
    case .notApplicable(let text): self = .notApplicable(text)
    case .inconclusive(let text): self = .inconclusive(text)
    }
  }

  /// The outcome of a check that runs to its end: what it returns is why the rule held.
  init(of check: () throws -> String) {
    do { self = .held(try check()) } catch let verdict as Verdict { self = Outcome(verdict) } catch {
      self = .inconclusive("the check failed: \(error)")
    }
  }

  // MARK: As text, between processes

  /// The outcome as one text, from which it can be read again.
  var coded: String {
    let trace = if case .broken(let finding) = self { finding.trace } else { "" }
    return [word, reason, trace].joined(separator: "\u{1F}")
  }

  init?(coded: String) {
    let parts = coded.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    switch parts[0] {
    case "held": self = .held(parts[1])
    case "broken": self = .broken(Finding(text: parts[1], trace: parts[2]))
    case "not applicable": self = .notApplicable(parts[1])
    case "inconclusive": self = .inconclusive(parts[1])
    default: return nil
    }
  }
}
