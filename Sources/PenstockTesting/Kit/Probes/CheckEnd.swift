// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How a check ends before it is complete; a check that runs to its end has held.
enum CheckEnd: Error {
  case broken(String, trace: String)
  /// A call has not returned.
  case hung(String, trace: String)
  case notApplicable(String)
  case inconclusive(String)
}

extension Outcome {
  init(_ end: CheckEnd) {
    switch end {
    case .broken(let text, let trace): self = .broken(Finding(text: text, trace: trace))
    case .hung(let text, let trace): self = .broken(Finding(text: text, trace: trace, stop: .hang))
    case .notApplicable(let text): self = .notApplicable(text)
    case .inconclusive(let text): self = .inconclusive(text)
    }
  }

  /// The outcome of a check that runs to its end: the string that it returns is why the rule held.
  init(of check: () throws -> String) {
    do { self = .held(try check()) } catch let end as CheckEnd { self = Outcome(end) } catch {
      self = .inconclusive("the check failed: \(error)")
    }
  }
}
