// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockInspector
import Testing

/// A closure of an actor's code that is passed to an operator stops the process if another thread calls it.
///
/// Such a closure is isolated to the actor, unless it is `@Sendable`, and Combine's signatures allow it to be called on
/// any thread. The compiler adds a check to it if the module that receives it is not in Swift 6 mode. Hence the mode
/// that Penstock is built in.
@Suite struct GuardedClosureTests {
  @Test(arguments: OperatorShape.allCases)
  func `A closure of the main actor that another thread calls stops the process`(_ shape: OperatorShape) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [shape] in
      Inspector.explainIsolationTraps()
      let input = await Screen.shared.bind(shape)
      await Task.detached { input.drain() }.value
    }
    expectTrap(result, by: shape.caller)
  }

  @Test func `Where nobody has asked for an explanation, the library says nothing`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let input = await Screen.shared.bind(OperatorShape.map)
      await Task.detached { input.drain() }.value
    }
    expectTrap(result)
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!said.contains("Penstock: "))
  }

  @Test(arguments: OperatorShape.allCases) @MainActor
  func `The same closure runs on the main actor`(_ shape: OperatorShape) {
    let screen = Screen()
    screen.bind(shape).drain()
    #expect(screen.count > 0)
  }

  @Test func `Work of the main actor on another queue stops the process`() async {
    let result = await #expect(processExitsWith: .failure) { await Screen.shared.countOnAnotherQueue() }
    expectTrap(result)
  }

  @Test func `A closure of another actor that a foreign thread calls stops the process, and it says why`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Inspector.explainIsolationTraps()
      let input = PassthroughSubject<Int, Never>()
      await Gauge.shared.bind(to: input)
      await Task.detached { input.send(1) }.value
    }
    expectTrap(result, by: "sink", of: "an actor of type Gauge")
    #if !(DEBUG && canImport(Glibc) && compiler(>=6.3) && !PENSTOCK_TSAN)
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("Incorrect actor executor assumption"))
    #endif
  }

  // MARK: What it costs

  @Test func `A map that touches nothing stops the process as well if it stands before the hop`() async {
    let result = await #expect(processExitsWith: .failure) { await Screen.shared.countBehind(.closure) }
    expectTrap(result)
  }

  @Test(arguments: Work.allCases.filter { $0 != .closure })
  func `A map that belongs to no actor, or stands behind the hop, does not`(_ work: Work) async {
    await #expect(processExitsWith: .success) { [work] in await Screen.shared.countBehind(work) }
  }

  // MARK: What is not caught

  @Test(arguments: Hole.allCases)
  func `What the compiler puts no check into runs on the other thread`(_ hole: Hole) async {
    await #expect(processExitsWith: .success) { [hole] in
      let input = await Screen.shared.bind(hole)
      await Task.detached { input.send(1) }.value
      if await Screen.shared.count != 1 { exit(1) }
    }
  }
}

/// Expects a process that was stopped by a signal, not by an exit of its own, and, where the library can tell, that it
/// said what had called the closure, and where the closure is.
private func expectTrap(
  _ result: ExitTest.Result?, by caller: String? = nil, of owner: String = "the main actor",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let result else { return }
  guard case .signal = result.exitStatus else {
    Issue.record("the process ended by itself: \(result.exitStatus)", sourceLocation: sourceLocation)
    return
  }
  #if DEBUG && canImport(Glibc) && compiler(>=6.3) && !PENSTOCK_TSAN
    guard let caller else { return }
    let said = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(said.contains("Penstock: \(caller) called a closure of \(owner) on another thread: "), "\(said)")
    #expect(said.contains("GuardedClosureTests.swift:"), "\(said)", sourceLocation: sourceLocation)
  #endif
}

/// The ways of passing a closure to a publisher that these tests cover.
enum OperatorShape: String, CaseIterable, Codable {
  case sink, sinkOfBoth, completion, method, erased, subscriber, anySubscriber, cancel
  case map, tryMap, mapError, filter, compactMap, scan, reduce, removeDuplicates, flatMap, handleEvents
  case deferred, future

  /// What the library says that has called the closure.
  var caller: String {
    switch self {
    case .sink, .sinkOfBoth, .completion, .method, .erased, .subscriber, .future: "sink"
    case .anySubscriber: "AnySubscriber"
    case .cancel: "AnyCancellable"
    case .deferred: "Deferred"
    default: rawValue
    }
  }
}

/// Work that runs before the hop to the main actor.
enum Work: String, CaseIterable, Codable {
  case closure, sendable, nonisolated, keyPath, behind
}

/// The cases that the compiler cannot see through.
enum Hole: String, CaseIterable, Codable {
  /// A key path carries no check.
  case assign
  /// The variable's type does not mention an actor.
  case variable
  /// A function of the client's own, which is in Swift 6 mode, passes the closure on.
  case helper
}

/// The source of values for the closures of a screen.
private struct Input: Sendable {
  let subject = PassthroughSubject<Int, Never>()

  /// Two values, and the end.
  func drain() {
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
  }

  func send(_ value: Int) { subject.send(value) }
}

private struct Problem: Error {}

/// A view's model, written for the main actor.
@MainActor private final class Screen {
  static let shared = Screen()

  fileprivate(set) var count = 0
  private var cancellables: Set<AnyCancellable> = []

  /// Counts in a closure of the given shape, whichever thread calls it.
  ///
  /// Every other closure is `@Sendable`.
  func bind(_ shape: OperatorShape) -> Input {
    let input = Input(), subject = input.subject
    let ignored: @Sendable (Int) -> Void = { _ in }
    switch shape {
    case .sink: subject.sink { self.count += $0 }.store(in: &cancellables)
    case .sinkOfBoth:
      subject.sink(receiveCompletion: { @Sendable _ in }, receiveValue: { self.count += $0 }).store(in: &cancellables)
    case .completion:
      subject.sink(receiveCompletion: { _ in self.count += 1 }, receiveValue: ignored).store(in: &cancellables)
    case .method: subject.sink(receiveValue: add).store(in: &cancellables)
    case .erased: subject.eraseToAnyPublisher().sink { self.count += $0 }.store(in: &cancellables)
    case .subscriber:
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { @Sendable _ in }, receiveValue: { self.count += $0 })
      subject.subscribe(sink)
    case .anySubscriber:
      subject.subscribe(
        AnySubscriber(
          receiveSubscription: { @Sendable in $0.request(.unlimited) },
          receiveValue: {
            self.count += $0
            return .none
          }))
    case .cancel:
      let counting = AnyCancellable { self.count += 1 }
      subject.sink { @Sendable _ in counting.cancel() }.store(in: &cancellables)
    case .map: subject.map { self.counted($0) }.sink(receiveValue: ignored).store(in: &cancellables)
    case .tryMap:
      subject.tryMap { self.counted($0) }.sink(receiveCompletion: { @Sendable _ in }, receiveValue: ignored)
        .store(in: &cancellables)
    case .mapError:
      subject.tryMap { @Sendable _ -> Int in throw Problem() }.mapError { self.counted($0) }
        .sink(receiveCompletion: { @Sendable _ in }, receiveValue: ignored).store(in: &cancellables)
    case .filter:
      subject.filter { self.counted($0) > 0 }.sink(receiveValue: ignored).store(in: &cancellables)
    case .compactMap: subject.compactMap { self.counted($0) }.sink(receiveValue: ignored).store(in: &cancellables)
    case .scan: subject.scan(0) { $0 + self.counted($1) }.sink(receiveValue: ignored).store(in: &cancellables)
    case .reduce: subject.reduce(0) { $0 + self.counted($1) }.sink(receiveValue: ignored).store(in: &cancellables)
    case .removeDuplicates:
      subject.removeDuplicates { self.counted($0) == $1 }.sink(receiveValue: ignored).store(in: &cancellables)
    case .flatMap: subject.flatMap { Just(self.counted($0)) }.sink(receiveValue: ignored).store(in: &cancellables)
    case .handleEvents:
      subject.handleEvents(receiveOutput: { self.count += $0 }).sink(receiveValue: ignored).store(in: &cancellables)
    case .deferred:
      subject.append(Deferred { Just(self.counted(1)) }).sink(receiveValue: ignored).store(in: &cancellables)
    case .future:
      Future<Int, Never> { promise in
        subject.sink { @Sendable in promise(.success($0)) }.store(in: &self.cancellables)
      }.sink { self.count += $0 }.store(in: &cancellables)
    }
    return input
  }

  func bind(_ hole: Hole) -> Input {
    let input = Input()
    switch hole {
    case .assign: input.subject.assign(to: \.count, on: self).store(in: &cancellables)
    case .variable:
      let count: (Int) -> Void = { self.count += $0 }
      input.subject.sink(receiveValue: count).store(in: &cancellables)
    case .helper: input.subject.ownSink { self.count += $0 }.store(in: &cancellables)
    }
    return input
  }

  private func add(_ value: Int) { count += value }

  private func counted<Value>(_ value: Value) -> Value {
    count += 1
    return value
  }

  func countOnAnotherQueue() {
    let queue = DispatchQueue(label: "another")
    queue.schedule { self.count += 1 }
    queue.sync { @Sendable in }
  }

  /// Returns when a value from another thread has passed the work and, by the main queue, reached a closure of this
  /// actor.
  func countBehind(_ work: Work) async {
    let input = Input(), subject = input.subject
    let hop = DispatchQueue.main
    let worked: AnyPublisher<Int, Never> =
      switch work {
      case .closure: subject.map { $0 + 1 }.receive(on: hop).eraseToAnyPublisher()
      case .sendable: subject.map { @Sendable in $0 + 1 }.receive(on: hop).eraseToAnyPublisher()
      case .nonisolated: Self.increments(of: subject).receive(on: hop).eraseToAnyPublisher()
      case .keyPath: subject.map(\.magnitude).map(\.bitWidth).receive(on: hop).eraseToAnyPublisher()
      case .behind: subject.receive(on: hop).map { $0 + 1 }.eraseToAnyPublisher()
      }
    await withCheckedContinuation { continuation in
      worked.sink {
        self.count += $0
        continuation.resume()
      }.store(in: &cancellables)
      Task.detached { input.send(1) }
    }
  }

  private nonisolated static func increments(of subject: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
    subject.map { $0 + 1 }
  }
}

extension Publisher where Failure == Never {
  fileprivate func ownSink(_ receive: @escaping (Output) -> Void) -> AnyCancellable { sink(receiveValue: receive) }
}

private actor Gauge {
  static let shared = Gauge()

  private var count = 0
  private var cancellables: Set<AnyCancellable> = []

  func bind(to input: PassthroughSubject<Int, Never>) {
    input.sink { self.count += $0 }.store(in: &cancellables)
  }
}
