// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One event of a course: an action of a source or of the subscriber.
enum Move: Equatable, Sendable {
  case send(Int), finish(Int), fail(Int)
  case request(Subscribers.Demand)
  case cancel

  static func all(sources: Int) -> [Move] {
    (0..<sources).flatMap { [.send($0), .finish($0), .fail($0)] }
      + [.request(.max(1)), .request(.max(2)), .request(.unlimited), .cancel]
  }
}

/// The subscriber's reaction to each value: requests during the delivery, and the demand it returns; for the first
/// value also a move.
struct Reaction: Sendable, CustomTestStringConvertible {
  var inside = Subscribers.Demand.none
  var answer = Subscribers.Demand.none
  var move: Move?

  var testDescription: String {
    "\(inside) requested inside, \(answer) answered" + (move.map { ", \($0) with the first" } ?? "")
  }

  static let all = [
    Reaction(), Reaction(answer: .max(1)), Reaction(inside: .max(1)), Reaction(inside: .max(2), answer: .max(1)),
    Reaction(answer: .unlimited), Reaction(inside: .unlimited),
  ]

  /// The reactions with a move during the first value.
  static func moving(sources: Int) -> [Reaction] {
    Move.all(sources: sources).flatMap { move in
      [Demand.none, .max(1), .unlimited].map { Reaction(answer: $0, move: move) }
    }
  }
}

/// Everything that sources and subscriber have observed in a course.
struct Seen: Equatable {
  var events: [Event<[Int], TestError>] = []
  /// The calls on each source's subscription.
  var calls: [[ManualSubscription.Call]]
  /// The demand that was returned for each value.
  var answers: [Subscribers.Demand] = []
}

/// A model of an operator in a few lines, without threads; subclasses define the operator.
class CourseModel {
  typealias Demand = Subscribers.Demand

  var outcome: Seen
  var demand = Demand.none
  /// Whether each source has ended, in any way.
  var isOver: [Bool]
  var hasEnded = false
  let reaction: Reaction
  /// Whether the reaction's move has been considered, and whether it was allowed.
  private(set) var hasMoved = false
  private(set) var madeMove = false
  /// Requests to make after the delivery has returned, for operators that request only then.
  private var asks: [(source: Int, demand: Demand)] = []
  private var depth = 0

  required init(sources: Int, reaction: Reaction) {
    outcome = Seen(calls: Array(repeating: [], count: sources))
    isOver = Array(repeating: false, count: sources)
    self.reaction = reaction
    start()
  }

  // Overridden by subclasses.

  func start() {}
  func receive(_ value: Int, from source: Int) -> Demand { .none }
  func end(_ completion: Subscribers.Completion<TestError>, of source: Int) {}
  func add(_ more: Demand) {}
  /// Whether sources are requested from only after the delivery has returned.
  var asksLater: Bool { false }

  // Called by subclasses.

  var sources: Range<Int> { isOver.indices }

  func ask(_ source: Int, for demand: Demand) {
    if asksLater, depth > 0 { asks.append((source, demand)) } else { askNow(source, for: demand) }
  }

  func askNow(_ source: Int, for demand: Demand) {
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
    if let move = reaction.move, !hasMoved {
      hasMoved = true
      madeMove = allows(move)
      if madeMove { perform(move, number: 100) }
    }
    if hasEnded { return reaction.answer }
    if reaction.inside != .none { add(reaction.inside) }
    return reaction.answer
  }

  func complete(_ completion: Subscribers.Completion<TestError>) {
    if hasEnded { return }
    for source in sources { cancelSource(source) }
    hasEnded = true
    outcome.events.append(.completion(completion))
  }

  // Called by the course.

  /// Whether the contract allows a move; moves that it forbids are skipped.
  func allows(_ move: Move) -> Bool { true }

  final func perform(_ move: Move, number: Int) {
    depth += 1
    defer {
      depth -= 1
      if depth == 0 {
        for (source, demand) in asks { askNow(source, for: demand) }
        asks = []
      }
    }
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

/// The operator itself, with publishers that are driven by hand.
struct Course {
  let sources: [ManualPublisher<Int, TestError>]
  let recorder = Recorder<[Int], TestError>(demand: nil)
  private let answers = Locked<[Subscribers.Demand]>([])

  /// - Parameter model: The model, which makes each move first, and determines whether the reaction's move is made.
  init(
    _ count: Int, _ reaction: Reaction, _ model: CourseModel,
    _ combine: ([ManualPublisher<Int, TestError>]) -> AnyPublisher<[Int], TestError>
  ) {
    sources = (0..<count).map { _ in ManualPublisher() }
    var hasMoved = false
    recorder.onValue = { [unowned recorder, sources, answers] _ in
      if let move = reaction.move, !hasMoved {
        hasMoved = true
        if model.madeMove { Self.perform(move, number: 100, sources, recorder, answers) }
      }
      if reaction.inside != .none { recorder.request(reaction.inside) }
      return reaction.answer
    }
    combine(sources).subscribe(recorder)
  }

  var outcome: Seen {
    Seen(events: Array(recorder.events.dropFirst()), calls: sources.map(\.calls), answers: answers.value)
  }

  func perform(_ move: Move, number: Int) {
    Self.perform(move, number: number, sources, recorder, answers)
  }

  private static func perform(
    _ move: Move, number: Int, _ sources: [ManualPublisher<Int, TestError>], _ recorder: Recorder<[Int], TestError>,
    _ answers: Locked<[Subscribers.Demand]>
  ) {
    switch move {
    case .send(let source):
      let answer = sources[source].send(number)
      answers.change { $0.append(answer) }
    case .finish(let source): sources[source].send(completion: .finished)
    case .fail(let source): sources[source].send(completion: .failure(.oops))
    case .request(let more): recorder.request(more)
    case .cancel: recorder.cancel()
    }
  }

  /// Releases objects that keep themselves alive: with hundreds of thousands of courses, a gigabyte would stay.
  private func release() {
    recorder.onValue = nil
    recorder.releaseSubscriptions()
    for source in sources { source.releaseSubscribers() }
  }

  /// Runs an operator and its model through the same course.
  static func check<Model: CourseModel>(
    _ moves: [Move], _ sources: Int, _ reaction: Reaction, _ model: Model.Type,
    _ combine: ([ManualPublisher<Int, TestError>]) -> AnyPublisher<[Int], TestError>
  ) -> Bool {
    let model = model.init(sources: sources, reaction: reaction)
    let course = Course(sources, reaction, model, combine)
    defer { course.release() }
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

  /// Checks every short course, and many long ones.
  static func checkAll<Model: CourseModel>(
    _ sources: Int, _ reaction: Reaction, _ model: Model.Type, length: Int = 3, random count: Int = 500,
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
    for _ in 0..<count {
      let moves = (0..<14).map { _ -> Move in
        // Ends are less frequent than other moves, or no course would be long.
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
