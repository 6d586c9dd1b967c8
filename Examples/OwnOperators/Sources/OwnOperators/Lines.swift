// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher where Output == String {
  /// Publishes the lines of a text that arrives in pieces of any size; the text after the last line break follows at
  /// the end.
  public func lines() -> some Publisher<String, Failure> { lift { LinesStage<Failure>() } }
}

final class LinesStage<Failure: Error>: QueuedStage {
  @exclusivity(unchecked) private var rest = ""

  var demand: QueuedDemand { .whileUnmet }

  static var failureWaits: Bool { true }

  func receive(_ input: String, into outputs: inout Outputs<String>) -> Verdict<String, Failure> {
    var pieces = (rest + input).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    rest = pieces.removeLast()
    for line in pieces { outputs.append(line) }
    return .absorb
  }

  func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<String>
  ) -> Subscribers.Completion<Failure> {
    if case .finished = completion, !rest.isEmpty { outputs.append(rest) }
    return completion
  }
}
