// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting
import Synchronization

extension OperatorPicture {
  static let tasks: [OperatorPicture] = [
    .init(
      "map-async",
      "Two values at a time are transformed by tasks. The result of the second comes first, and waits for its turn.",
      """
      source         1-2-------3----|
      source.demand  2-----[11]------1
      1              ^-----[a|]
      2              --^-[b|]
      3              ----------^--[c|]
      > mapAsync(maxTasks: .max(2)) { await load($0) }
      expected       ------[ab]------c-|
      """
    ) { source, load in source.mapAsync(maxTasks: .max(2)) { value throws(MarbleFailure) in try await load(value) } },
    .init(
      "try-map-async",
      "The task of 2 throws: the task of 3 and upstream are cancelled, and the output fails.",
      """
      source    1-2-3---!-4--|
      1         ^----[a|]
      2         --^-----#'gone'
      3         ----^---!
      > tryMapAsync(maxTasks: .max(3)) { try await load($0) }
      expected  -----a--#'gone'
      """
    ) { source, load in source.tryMapAsync(maxTasks: .max(3)) { try await load($0) } },
    .init(
      "map-async-by",
      "Of the values with the same letter, one at a time is transformed. The others do not wait for it.",
      """
      source         a-A-b-----------|
      source.demand  3-----1-1---1----
      a              ^-------[1|]
      A              --------^---[2|]
      b              ----^-[3|]
      > mapAsync(maxTasks: .max(3), by: { $0.lowercased() }) { await load($0) }
      expected       ------3-1---2---|
      """
    ) { source, load in
      source.mapAsync(maxTasks: .max(3), by: { $0.lowercased() }) { value throws(MarbleFailure) in
        try await load(value)
      }
    },
    .init(
      "flat-map-async",
      "The task of each letter returns a publisher, whose values are published. Each takes as long as it takes.",
      """
      source    a--b------|
      a         ^------['12'|]
      b         ---^-['34'|]
      > flatMap { await pages(of: $0) }
      expected  -----[34]-[12]--|
      """
    ) { source, load in
      source.flatMap { value throws(MarbleFailure) in
        try await load(value).map(String.init).publisher.setFailureType(to: MarbleFailure.self)
      }
    },
  ]
}

extension OperatorPicture {
  /// What a pipeline of tasks gets for its closure: it waits for the step at which its line says what comes of the value.
  typealias Load = @Sendable (String) async throws(MarbleFailure) -> String

  /// A pipeline that starts tasks.
  ///
  /// The task of a value has a line with the value's name.
  fileprivate init<P: Publisher<String, any Error>>(
    _ name: String, _ title: String, _ text: String,
    _ build: @escaping (AnyPublisher<String, MarbleFailure>, @escaping Load) -> P
  ) {
    self.init(name, in: .concurrency, title, text) { try await TaskRun($0).run { build($0, $1).eraseToAnyPublisher() } }
  }

  fileprivate init<P: Publisher<String, MarbleFailure>>(
    _ name: String, _ title: String, _ text: String,
    _ build: @escaping (AnyPublisher<String, MarbleFailure>, @escaping Load) -> P
  ) {
    self.init(name, in: .concurrency, title, text) {
      try await TaskRun($0).run { build($0, $1).mapError { $0 }.eraseToAnyPublisher() }
    }
  }
}

/// The run of a diagram whose pipeline starts tasks.
///
/// Tasks have no virtual time of their own. So each step waits until what the diagram says has happened, and begins the next
/// one then: what happens besides, or in another step, is a difference in the end.
private final class TaskRun: Sendable {
  private struct State {
    var step = 0
    var marks: [String: [MarbleLane.Mark]] = [:]
    var tasks: [String: UnsafeContinuation<Result<String, MarbleFailure>, Never>] = [:]
    /// What the step waits for, as numbers of marks by lane.
    var wanted: [String: Int] = [:]
    var waiter: UnsafeContinuation<Void, Never>?
    var isCancelled = false

    /// Whether there is as much as the step waits for.
    var isReached: Bool { wanted.allSatisfy { marks[$0.key, default: []].count >= $0.value } }
  }

  private let state = Mutex(State())
  private let diagram: MarbleDiagram

  init(_ diagram: MarbleDiagram) { self.diagram = diagram }

  /// A mark of a lane that the run makes: of the source only the requests and the cancel are the pipeline's.
  private func isObserved(_ mark: MarbleLane.Mark, in lane: MarbleLane) -> Bool {
    lane.name != "source" || mark.event == .cancelled
  }

  private func note(_ events: MarbleEvent..., of lane: String) {
    let waiter = state.withLock { state in
      for event in events { state.marks[lane, default: []].append(MarbleLane.Mark(step: state.step, event: event)) }
      return state.isReached ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  @Sendable private func load(_ value: String) async throws(MarbleFailure) -> String {
    note(.subscribed, of: value)
    let result = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in state.withLock { $0.tasks[value] = continuation } }
    } onCancel: {
      let task = state.withLock { $0.tasks.removeValue(forKey: value) }
      note(.cancelled, of: value)
      task?.resume(returning: .failure(MarbleFailure("cancelled")))
    }
    return try result.get()
  }

  /// Lets the task of a value return.
  private func finish(_ value: String, _ result: Result<String, MarbleFailure>) {
    switch result {
    case .success(let symbol): note(.value(symbol), .finished, of: value)
    case .failure(let failure): note(.failed(failure.name), of: value)
    }
    state.withLock { $0.tasks.removeValue(forKey: value) }?.resume(returning: result)
  }

  func run(
    _ build: (AnyPublisher<String, MarbleFailure>, @escaping OperatorPicture.Load) -> AnyPublisher<String, any Error>
  ) async throws {
    let source = PassthroughSubject<String, MarbleFailure>()
    let observed = source.handleEvents(
      receiveCancel: { self.note(.cancelled, of: "source") },
      receiveRequest: { self.note(.requested($0), of: "source.demand") })
    let sink = build(observed.eraseToAnyPublisher(), load).sink(
      receiveCompletion: {
        if case .failure(let failure) = $0 {
          self.note(.failed("\(failure)"), of: "expected")
        } else {
          self.note(.finished, of: "expected")
        }
      }, receiveValue: { self.note(.value($0), of: "expected") })
    for step in 0..<diagram.length {
      state.withLock { $0.step = step }
      for lane in diagram.lanes {
        for mark in lane.marks where mark.step == step { act(mark.event, of: lane.name, source) }
      }
      await wait(until: step)
    }
    sink.cancel()
    try compare()
  }

  /// Does what a source or a task does.
  private func act(_ event: MarbleEvent, of lane: String, _ source: PassthroughSubject<String, MarbleFailure>) {
    if ["expected", "source.demand"].contains(lane) { return }
    switch event {
    case .value(let symbol): if lane == "source" { source.send(symbol) } else { finish(lane, .success(symbol)) }
    case .finished: if lane == "source" { source.send(completion: .finished) }
    case .failed(let name): finish(lane, .failure(MarbleFailure(name ?? "")))
    case .subscribed, .cancelled, .requested: break
    }
  }

  /// Suspends until what the diagram says up to a step has happened, or the test's time is over.
  private func wait(until step: Int) async {
    await withTaskCancellationHandler {
      await waitUnlessCancelled(until: step)
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        return state.waiter.take()
      }
      waiter?.resume()
    }
  }

  private func waitUnlessCancelled(until step: Int) async {
    await withUnsafeContinuation { continuation in
      let isReached = state.withLock { state in
        for lane in diagram.lanes {
          state.wanted[lane.name] = lane.marks.count { $0.step <= step && isObserved($0, in: lane) }
        }
        if state.isReached || state.isCancelled { return true }
        state.waiter = continuation
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  private func compare() throws {
    let marks = state.withLock(\.marks)
    for lane in diagram.lanes where lane.name != "source.demand" || marks[lane.name] != nil {
      let expected = MarbleLane(name: lane.name, marks: lane.marks.filter { isObserved($0, in: lane) })
      let happened = MarbleLane(
        name: lane.name,
        marks: marks[lane.name, default: []].filter {
          lane.marks.contains { $0.event == .cancelled } || $0.event != .cancelled
        })
      if "\(expected)" != "\(happened)" {
        throw TaskMismatch(description: "expected: \(expected)\nhappened: \(happened)")
      }
    }
  }
}

private struct TaskMismatch: Error, CustomStringConvertible {
  let description: String
}
