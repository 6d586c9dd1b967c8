// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import Testing

/// What a client in Swift 6 mode may send across tasks and actors, with the compiler's consent alone.
///
/// CI checks that the client needs no exemption from the compiler: this folder must not contain one.
@Suite struct ClientTests {
  /// Compiles only for types that are Sendable.
  private func expectSendable<T: Sendable>(_ type: T.Type) -> Bool { true }

  private struct Failure: Error, Equatable {}

  private actor Collector {
    private(set) var values: [Int] = []
    private(set) var demands: [Subscribers.Demand] = []
    private(set) var completions: [Subscribers.Completion<Failure>] = []
    private var cancellables: Set<AnyCancellable> = []

    func keep(_ cancellable: AnyCancellable) { cancellables.insert(cancellable) }
    func add(_ value: Int) { values.append(value) }
    func add(_ demand: Subscribers.Demand) { demands.append(demand) }
    func add(_ completion: Subscribers.Completion<Failure>) { completions.append(completion) }
    func cancelAll() { cancellables.removeAll() }
  }

  @Test func `Values, identifiers and cancellables are Sendable`() {
    #expect(expectSendable(Subscribers.Demand.self))
    #expect(expectSendable(Subscribers.Completion<Failure>.self))
    #expect(expectSendable(CombineIdentifier.self))
    #expect(expectSendable(AnyCancellable.self))
  }

  @Test func `Subjects of Sendable values are Sendable`() {
    #expect(expectSendable(PassthroughSubject<Int, Never>.self))
    #expect(expectSendable(CurrentValueSubject<String, Failure>.self))
  }

  @Test func `Sources of Sendable values are Sendable`() {
    #expect(expectSendable(Just<Int>.self))
    #expect(expectSendable(Empty<Int, Failure>.self))
    #expect(expectSendable(Fail<Int, Failure>.self))
    #expect(expectSendable(Future<Int, Failure>.self))
    #expect(expectSendable(Record<Int, Failure>.self))
    #expect(expectSendable(Optional<Int>.Publisher.self))
    #expect(expectSendable(Result<Int, Failure>.Publisher.self))
    #expect(expectSendable(Publishers.Sequence<[Int], Never>.self))
    #expect(expectSendable(Publishers.Drop<Publishers.Collect<Just<Int>>>.self))
  }

  @Test func `State and asynchronous sequences of Sendable values are Sendable`() {
    #expect(expectSendable(Published<Int>.self))
    #expect(expectSendable(Published<Int>.Publisher.self))
    #expect(expectSendable(ObservableObjectPublisher.self))
    #expect(expectSendable(AsyncPublisher<Just<Int>>.self))
    #expect(expectSendable(AsyncThrowingPublisher<Fail<Int, Failure>>.self))
  }

  @Test func `A published property of an actor's object feeds a loop on that actor`() async {
    await Screen.shared.run()
    #expect(await Screen.shared.levels == [0, 1, 2])
  }

  @Test func `The immediate scheduler and its times are Sendable`() async {
    #expect(expectSendable(ImmediateScheduler.self))
    #expect(expectSendable(ImmediateScheduler.SchedulerTimeType.self))
    #expect(expectSendable(ImmediateScheduler.SchedulerTimeType.Stride.self))
    let scheduler = ImmediateScheduler.shared
    let later = await Task.detached { scheduler.now.advanced(by: .seconds(5)) }.value
    #expect(later == scheduler.now)
  }

  @Test func `The times of queues and run loops are Sendable, and so is what a session publishes from`() async {
    #expect(expectSendable(DispatchQueue.SchedulerTimeType.self))
    #expect(expectSendable(DispatchQueue.SchedulerTimeType.Stride.self))
    #expect(expectSendable(DispatchQueue.SchedulerOptions.self))
    #expect(expectSendable(RunLoop.SchedulerTimeType.self))
    #expect(expectSendable(RunLoop.SchedulerTimeType.Stride.self))
    #expect(expectSendable(OperationQueue.SchedulerTimeType.self))
    #expect(expectSendable(OperationQueue.SchedulerTimeType.Stride.self))
    #expect(expectSendable(URLSession.DataTaskPublisher.self))
    let queue = DispatchQueue(label: "client")
    let date = queue.now.advanced(by: .milliseconds(1))
    let later = await Task.detached { date.advanced(by: .seconds(1)) }.value
    #expect(date.distance(to: later) == .seconds(1))
  }

  @Test func `A future is fulfilled by a task and awaited by an actor`() async {
    let subject = PassthroughSubject<Int, Failure>()
    let future = Future<Int, Failure> { promise in
      let cancellable = subject.sink(
        receiveCompletion: { _ in }, receiveValue: { promise(.success($0)) })
      subject.send(7)
      cancellable.cancel()
    }
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    await Task.detached {
      let cancellable = future.sink(
        receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
      cancellable.cancel()
    }.value
    var values: [Int] = []
    for await value in stream { values.append(value) }
    #expect(values == [7])
  }

  @Test func `A subject takes values from many tasks, and an actor keeps what they say`() async {
    let subject = PassthroughSubject<Int, Failure>()
    let collector = Collector()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    await collector.keep(
      subject.sink(
        receiveCompletion: { _ in continuation.finish() },
        receiveValue: { continuation.yield($0) }))
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for value in 0..<25 { subject.send(task * 25 + value) }
        }
      }
    }
    subject.send(completion: .finished)
    for await value in stream { await collector.add(value) }
    #expect(await collector.values.sorted() == Array(0..<100))
    await collector.cancelAll()
  }

  @Test func `A cancellable is cancelled by another task than the one that made it`() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    let cancellable = subject.sink { _ in }
    await Task.detached { cancellable.cancel() }.value
    await Task.detached { subject.value = 1 }.value
    #expect(subject.value == 1)
  }

  @Test func `Demands and completions travel to an actor`() async {
    let collector = Collector()
    await collector.add(Subscribers.Demand.max(3) + .max(1))
    await collector.add(Subscribers.Completion<Failure>.failure(Failure()))
    #expect(await collector.demands == [.max(4)])
    #expect(await collector.completions == [.failure(Failure())])
  }
}

/// A view's model, written for the main actor.
@MainActor private final class Screen: ObservableObject {
  static let shared = Screen()

  @Published var level = 0
  private(set) var levels: [Int] = []

  func run() async {
    for await value in $level.values {
      levels.append(value)
      if value == 2 { break }
      level = value + 1
    }
  }
}
