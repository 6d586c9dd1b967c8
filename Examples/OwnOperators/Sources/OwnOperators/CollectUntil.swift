// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Publishes, at each signal, the values since the previous signal; the rest follows at the end of either publisher.
  public func chunks<Signals: Publisher>(until signals: Signals) -> some Publisher<[Output], Failure>
  where Signals.Failure == Failure {
    steered(by: signals, ChunksStage())
  }
}

struct ChunksStage<Input, Failure: Error, Signal>: SteeredStage {
  private var chunk: [Input] = []

  /// A chunk that has not been requested waits, grows, and holds upstream back.
  static var demand: SteeredDemand { .whileUnmet }

  mutating func receive(_ input: Input) -> Verdict<[Input], Failure> {
    chunk.append(input)
    return .absorb
  }

  mutating func receive(signal: Signal) -> Verdict<[Input], Failure> { takeRest().map { .emit($0) } ?? .absorb }

  func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<[Input], Failure> {
    switch signalCompletion {
    case .finished: .finish
    case .failure(let failure): .fail(failure)
    }
  }

  mutating func takeRest() -> [Input]? {
    defer { chunk = [] }
    return chunk.isEmpty ? nil : chunk
  }
}
