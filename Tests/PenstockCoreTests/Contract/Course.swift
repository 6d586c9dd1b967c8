// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One event of a course: something that a source or the subscriber does.
enum Move: Equatable {
  case send(Int), finish(Int), fail(Int)
  case request(Subscribers.Demand)
  case cancel

  static func all(sources: Int) -> [Move] {
    (0..<sources).flatMap { [.send($0), .finish($0), .fail($0)] }
      + [.request(.max(1)), .request(.max(2)), .request(.unlimited), .cancel]
  }
}

/// What the subscriber does with each value: requests from inside, and answers.
struct Reaction: Sendable, CustomTestStringConvertible {
  var inside = Subscribers.Demand.none
  var answer = Subscribers.Demand.none

  var testDescription: String { "\(inside) requested inside, \(answer) answered" }

  static let all = [
    Reaction(), Reaction(answer: .max(1)), Reaction(inside: .max(1)), Reaction(inside: .max(2), answer: .max(1)),
    Reaction(answer: .unlimited), Reaction(inside: .unlimited),
  ]
}

/// What everybody has seen of a course.
struct Seen: Equatable {
  var events: [Event<[Int], TestError>] = []
  /// What each source was told.
  var calls: [[ManualSubscription.Call]]
  /// What each value was answered with.
  var answers: [Subscribers.Demand] = []
}

/// An operator written down in a few lines, without threads; subclasses say what it does.
class CourseModel {
  typealias Demand = Subscribers.Demand

  var outcome: Seen
  var demand = Demand.none
  /// The sources that are over, by whatever end.
  var isOver: [Bool]
  var hasEnded = false
  let reaction: Reaction

  required init(sources: Int, reaction: Reaction) {
    outcome = Seen(calls: Array(repeating: [], count: sources))
    isOver = Array(repeating: false, count: sources)
    self.reaction = reaction
    start()
  }

  // What subclasses say.

  func start() {}
  func receive(_ value: Int, from source: Int) -> Demand { .none }
  func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {}
  func add(_ more: Demand) {}

  // What they say it with.

  var sources: Range<Int> { isOver.indices }

  func ask(_ source: Int, for demand: Demand) {
    if !isOver[source], !hasEnded, demand != .none { outcome.calls[source].append(.requested(demand)) }
  }

  func askAll(for demand: Demand, but answered: Int? = nil) {
    for source in sources where source != answered { ask(source, for: demand) }
  }

  func cancelSource(_ source: Int) {
    if !isOver[source] { outcome.calls[source].append(.cancelled) }
    isOver[source] = true
  }

  func deliver(_ value: [Int]) -> Demand {
    outcome.events.append(.value(value))
    if reaction.inside != .none { add(reaction.inside) }
    return reaction.answer
  }

  func complete(_ completion: Subscribers.Completion<TestError>) {
    for source in sources { cancelSource(source) }
    hasEnded = true
    outcome.events.append(.completion(completion))
  }

  // What happens to it.

  /// Whether the rules allow this move; what they forbid is left out.
  func allows(_ move: Move) -> Bool { true }

  final func perform(_ move: Move, number: Int) {
    switch move {
    case .send(let source):
      outcome.answers.append(hasEnded || isOver[source] ? .none : receive(number, from: source))
    case .finish(let source): over(source, .finished)
    case .fail(let source): over(source, .failure(.oops))
    case .request(let more): if !hasEnded { add(more) }
    case .cancel:
      if hasEnded { return }
      hasEnded = true
      for source in sources { cancelSource(source) }
    }
  }

  private func over(_ source: Int, _ completion: Subscribers.Completion<TestError>) {
    guard !hasEnded, !isOver[source] else { return }
    isOver[source] = true
    end(completion, of: source)
  }
}

/// The operator itself, over publishers driven by hand.
struct Course {
  let sources: [ManualPublisher<Int, TestError>]
  let recorder = Recorder<[Int], TestError>(demand: nil)
  private var answers: [Subscribers.Demand] = []

  init(
    _ count: Int, _ reaction: Reaction, _ combine: ([ManualPublisher<Int, TestError>]) -> AnyPublisher<[Int], TestError>
  ) {
    sources = (0..<count).map { _ in ManualPublisher() }
    recorder.onValue = { [unowned recorder] _ in
      if reaction.inside != .none { recorder.request(reaction.inside) }
      return reaction.answer
    }
    combine(sources).subscribe(recorder)
  }

  var outcome: Seen {
    Seen(events: Array(recorder.events.dropFirst()), calls: sources.map(\.calls), answers: answers)
  }

  mutating func perform(_ move: Move, number: Int) {
    switch move {
    case .send(let source): answers.append(sources[source].send(number))
    case .finish(let source): sources[source].send(completion: .finished)
    case .fail(let source): sources[source].send(completion: .failure(.oops))
    case .request(let more): recorder.request(more)
    case .cancel: recorder.cancel()
    }
  }

  /// Runs an operator and its model over the same course.
  static func check<Model: CourseModel>(
    _ moves: [Move], _ sources: Int, _ reaction: Reaction, _ model: Model.Type,
    _ combine: ([ManualPublisher<Int, TestError>]) -> AnyPublisher<[Int], TestError>
  ) -> Bool {
    let model = Model(sources: sources, reaction: reaction)
    var course = Course(sources, reaction, combine)
    var done: [Move] = []
    for (number, move) in moves.enumerated() where model.allows(move) {
      model.perform(move, number: number)
      course.perform(move, number: number)
      done.append(move)
      guard course.outcome == model.outcome else {
        Issue.record("\(done): \(course.outcome) is not \(model.outcome)")
        return false
      }
    }
    return true
  }

  /// Every short course, and many long ones.
  static func checkAll<Model: CourseModel>(
    _ sources: Int, _ reaction: Reaction, _ model: Model.Type, length: Int = 3,
    _ combine: ([ManualPublisher<Int, TestError>]) -> AnyPublisher<[Int], TestError>
  ) {
    let all = Move.all(sources: sources)
    var course: [Move] = []
    func extend() -> Bool {
      guard course.count < length else { return check(course, sources, reaction, model, combine) }
      for move in all {
        course.append(move)
        defer { course.removeLast() }
        guard extend() else { return false }
      }
      return true
    }
    guard extend() else { return }
    var random = SeededGenerator(seed: 0xC0)
    for _ in 0..<2_000 {
      let moves = (0..<14).map { _ -> Move in
        // Ends are rarer than the rest, or no course would be long.
        let move = all.randomElement(using: &random)!
        switch move {
        case .send, .request: return move
        default: return Bool.random(using: &random) ? move : .send(Int.random(in: 0..<sources, using: &random))
        }
      }
      guard check(moves, sources, reaction, model, combine) else { return }
    }
  }
}
