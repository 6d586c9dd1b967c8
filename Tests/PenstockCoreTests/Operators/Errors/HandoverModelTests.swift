// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The operators that continue with another publisher, compared with models of a few lines, for every short course of
/// events and many long ones.
@Suite struct SequentialModelTests {
  /// Operators that subscribe to one publisher after the other.
  private class SequentialSubscriber: CourseModel {
    /// The completion of the first publisher that makes the second one follow.
    var successionEnd: Subscribers.Completion<TestError> { .finished }
    var current = 0
    /// The number of sources that have completed.
    var ends = 0

    override func add(_ more: Demand) {
      if current == 0 { demand += more }
      ask(current, for: more)
    }

    override func allows(_ move: Move) -> Bool {
      switch move {
      // Signals of a source are possible only after it has been subscribed to.
      case .send(let source), .finish(let source), .fail(let source): source <= current
      case .request, .cancel: true
      }
    }

    override func receive(_ value: Int, from source: Int) -> Demand {
      let before = ends
      if source == 1 { return answer(deliver([value]), endsBefore: before) }
      guard demand != .none else { return .none }
      demand -= 1
      let more = deliver([value])
      if ends == before { demand += more }
      return answer(more, endsBefore: before)
    }

    /// If its source completes during a value's delivery, the demand returned for the value goes to the next source.
    func answer(_ more: Demand, endsBefore before: Int) -> Demand {
      if ends == before { return more }
      if more != .none, !hasEnded { add(more) }
      return .none
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      ends += 1
      guard source == 0, completion == successionEnd else {
        if current == 0 { isOver[1] = true }
        return complete(completion)
      }
      current = 1
      ask(1, for: demand)
    }

    override func cancelSource(_ source: Int) {
      if source <= current { super.cancelSource(source) }
    }
  }

  private final class Catch: SequentialSubscriber {
    override var successionEnd: Subscribers.Completion<TestError> { .failure(.oops) }

    override func receive(_ value: Int, from source: Int) -> Demand {
      source == 1 ? deliver([value]) : super.receive(value, from: source)
    }

    override func allows(_ move: Move) -> Bool {
      // A value without demand traps, and so does a second failure.
      if move == .send(0), demand == .none, !hasEnded { return false }
      return super.allows(move) && (move != .fail(0) || current == 0)
    }
  }

  private final class Retry: CourseModel {
    var retries = 2

    override func allows(_ move: Move) -> Bool {
      // A value without demand traps.
      move != .send(0) || demand != .none || hasEnded
    }

    override func add(_ more: Demand) {
      demand += more
      ask(0, for: more)
    }

    override func receive(_ value: Int, from source: Int) -> Demand {
      demand -= 1
      let more = deliver([value])
      if more != .none { add(more) }
      return .none
    }

    override func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {
      guard completion != .finished, retries > 0 else { return complete(completion) }
      retries -= 1
      isOver[0] = false
      ask(0, for: demand)
    }
  }

  @Test(arguments: Reaction.all)
  func `append goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, SequentialSubscriber.self) { $0[0].append($0[1]).map { [$0] }.eraseToAnyPublisher() }
  }

  @Test(arguments: Reaction.all)
  func `catch goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, Catch.self) { sources in
      sources[0].catch { _ in sources[1] }.map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.all)
  func `tryCatch goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, Catch.self) { sources in
      sources[0].tryCatch { _ in sources[1] }.mapError { $0 as! TestError }.map { [$0] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Reaction.all)
  func `retry goes as in the model`(_ reaction: Reaction) {
    Course.checkAll(1, reaction, Retry.self, length: 5) { $0[0].retry(2).map { [$0] }.eraseToAnyPublisher() }
  }

  @Test(arguments: Reaction.moving(sources: 2))
  func `Moves during a value's delivery go as in the models`(_ reaction: Reaction) {
    Course.checkAll(2, reaction, SequentialSubscriber.self, length: 2, random: 100) {
      $0[0].append($0[1]).map { [$0] }.eraseToAnyPublisher()
    }
    Course.checkAll(2, reaction, Catch.self, length: 2, random: 100) { sources in
      sources[0].catch { _ in sources[1] }.map { [$0] }.eraseToAnyPublisher()
    }
  }
}
