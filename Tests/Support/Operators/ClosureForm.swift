// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockTesting
public import Testing

/// An operator whose closure runs while a value is handled, between a subject and a subscriber that checks nothing.
///
/// `@unchecked`: what a form creates is used on one thread.
public struct ClosureForm: @unchecked Sendable, CustomTestStringConvertible {
  public typealias Source = PassthroughSubject<Int, TestError>
  /// What the operator's closure calls, and the clock of operators that deliver later.
  public typealias Bench = (call: () -> Void, clock: OperatorSpec.Clock)

  public let testDescription: String
  private let run: (Interruption, _ turn: Int, Subscribers.Demand, _ isErased: Bool) -> Outcome

  private struct Outcome {
    var complaints: [String]
    var completions: Int
    /// Whether the closure has run often enough to interrupt.
    var hasInterrupted: Bool
  }

  public init<P: Publisher>(_ name: String, _ build: @escaping (Source, Bench) -> P) {
    testDescription = name
    run = { interruption, turn, demand, isErased in
      let (source, clock) = (Source(), OperatorSpec.Clock())
      // Two values at first, and then nothing until something waits; or more with every value.
      let isLate = demand == .max(2)
      let recorder = Recorder<P.Output, P.Failure>(demand: demand, answering: isLate ? .none : demand)
      var calls = 0
      let call = {
        calls += 1
        guard calls == turn else { return }
        switch interruption {
        case .finish: source.send(completion: .finished)
        case .fail: source.send(completion: .failure(.oops))
        case .cancel: recorder.cancel()
        }
      }
      let publisher = build(source, (call, clock))
      if isErased { publisher.eraseToAnyPublisher().subscribe(recorder) } else { publisher.subscribe(recorder) }
      for value in [1, 2, 3, 3, 1, 4, 5] {
        source.send(value)
        clock.advance(by: 1)
        if isLate, value > 3 { recorder.request(.max(2)) }
      }
      source.send(completion: .finished)
      clock.advance(by: 100)
      let outcome = Outcome(
        complaints: recorder.complaints, completions: recorder.completions.count, hasInterrupted: calls >= turn)
      recorder.dismiss()
      return outcome
    }
  }

  /// How a closure ends the stream in which it is called.
  public enum Interruption: CaseIterable, Sendable {
    case finish, fail, cancel
  }

  /// Returns what is wrong with what follows when one of the first calls of the closure ends the stream in this way,
  /// with every demand; empty if nothing is wrong.
  public func complaints(_ interruption: Interruption) -> [String] {
    var found: [String] = []
    var hasInterrupted = false
    for demand in [Subscribers.Demand.unlimited, .max(1), .max(2)] {
      for isErased in [false, true] {
        for turn in 1...5 {
          let outcome = run(interruption, turn, demand, isErased)
          let place = "at call \(turn), with a demand of \(demand)\(isErased ? ", erased" : "")"
          found += outcome.complaints.map { "\($0), \(place)" }
          if outcome.completions > 1 { found.append("\(outcome.completions) completions, \(place)") }
          if outcome.hasInterrupted { hasInterrupted = true }
        }
      }
    }
    if !hasInterrupted { found.append("the closure has never run") }
    return found
  }
}
