// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Operators between a source and a `sink`, whose first closure interrupts.
private struct Chain: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Typed all the way, so that the operators may be fused and the sink may reside in its source.
  let sink: Sink
  /// Whether the values are those of inner publishers.
  let flattens: Bool

  init(_ name: String, flattens: Bool = false, _ sink: Sink) {
    testDescription = name
    self.flattens = flattens
    self.sink = sink
  }

  /// Attaches a sink below the operators.
  class Sink: @unchecked Sendable {
    func attach(
      _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
    ) -> AnyCancellable { fatalError("a chain") }
  }

  static let all = [
    Chain("map", MapSink()), Chain("filter", FilterSink()), Chain("compactMap and map", CompactMapSink()),
    Chain("scan", ScanSink()), Chain("tryMap and mapError", TryMapSink()), Chain("prefix(3) and map", PrefixSink()),
    Chain("removeDuplicates", RemoveDuplicatesSink()), Chain("map, erased", ErasedSink()),
    Chain("flatMap to Just, then map", flattens: true, FlatMapSink()),
    Chain("switchToLatest, then map", flattens: true, SwitchSink()),
    Chain("flatMap whose inner map interrupts", flattens: true, InnerSink()), Chain("share and map", ShareSink()),
    Chain("map and an assignment of a subject", SubjectSink()),
  ]
}

/// What a sink has received.
private final class Log: @unchecked Sendable {
  var events: [String] = []
}

extension Publisher where Output == Int, Failure == TestError {
  fileprivate func sink(into log: Log) -> AnyCancellable {
    sink(receiveCompletion: { log.events.append("\($0)") }, receiveValue: { log.events.append("\($0)") })
  }
}

private final class MapSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.map { (value: Int) -> Int in
      interrupt()
      return value
    }.sink(into: log)
  }
}

private final class FilterSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.filter { (_: Int) -> Bool in
      interrupt()
      return true
    }.sink(into: log)
  }
}

private final class CompactMapSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.compactMap { (value: Int) -> Int? in
      interrupt()
      return value
    }.map { (value: Int) -> Int in value }.sink(into: log)
  }
}

private final class ScanSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.scan(0) { (_: Int, value: Int) -> Int in
      interrupt()
      return value
    }.sink(into: log)
  }
}

private final class TryMapSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.tryMap { (value: Int) throws -> Int in
      interrupt()
      return value
    }.mapError { (error: any Error) -> TestError in error as? TestError ?? .oops }.sink(into: log)
  }
}

private final class PrefixSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.prefix(3).map { (value: Int) -> Int in
      interrupt()
      return value
    }.sink(into: log)
  }
}

private final class RemoveDuplicatesSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    // The first value is not compared.
    source.prepend(-1).filter { $0 >= 0 }.map { (value: Int) -> Int in
      interrupt()
      return value
    }.removeDuplicates().sink(into: log)
  }
}

private final class ErasedSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.map { (value: Int) -> Int in
      interrupt()
      return value
    }.eraseToAnyPublisher().map { (value: Int) -> Int in value }.sink(into: log)
  }
}

private final class FlatMapSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.flatMap { (value: Int) in Just(value).setFailureType(to: TestError.self) }.map { (value: Int) -> Int in
      interrupt()
      return value
    }.sink(into: log)
  }
}

private final class SwitchSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.map { (value: Int) in Just(value).setFailureType(to: TestError.self) }.switchToLatest()
      .map { (value: Int) -> Int in
        interrupt()
        return value
      }.sink(into: log)
  }
}

private final class InnerSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.flatMap { (value: Int) in
      Just(value).setFailureType(to: TestError.self).map { (value: Int) -> Int in
        interrupt()
        return value
      }
    }.sink(into: log)
  }
}

private final class ShareSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    source.share().map { (value: Int) -> Int in
      interrupt()
      return value
    }.sink(into: log)
  }
}

private final class SubjectSink: Chain.Sink, @unchecked Sendable {
  override func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    let subject = PassthroughSubject<Int, TestError>()
    let below = subject.sink(into: log)
    let above = source.map { (value: Int) -> Int in
      interrupt()
      return value
    }.subscribe(subject)
    return AnyCancellable {
      above.cancel()
      below.cancel()
    }
  }
}

/// How a closure ends the stream in which it is called.
private enum Interruption: CaseIterable, Sendable {
  case finish, fail, cancel, release
}

@Suite struct NothingAfterTheEndTests {
  @Test(arguments: Chain.all, Interruption.allCases)
  private func `A value whose closure ends the stream is not delivered after that`(
    _ chain: Chain, _ interruption: Interruption
  ) {
    for isRepeating in [false, true] {
      let log = Log()
      var cancellable: AnyCancellable?
      var isArmed = false
      var end: (Subscribers.Completion<TestError>) -> Void = { _ in }
      let interrupt = {
        guard isArmed else { return }
        isArmed = false
        switch interruption {
        case .finish: end(.finished)
        case .fail: end(.failure(.oops))
        case .cancel: cancellable?.cancel()
        case .release: cancellable = nil
        }
      }
      func run(_ subject: some Subject<Int, TestError>) {
        end = { subject.send(completion: $0) }
        cancellable = chain.sink.attach(subject, interrupt, log)
        log.events = []
        subject.send(1)
        isArmed = true
        subject.send(2)
        subject.send(3)
        subject.send(completion: .finished)
      }
      if isRepeating { run(CurrentValueSubject(0)) } else { run(PassthroughSubject()) }
      let ending: [String] =
        switch interruption {
        // The publisher of which the value is has not finished.
        case .finish where chain.flattens: ["2", "finished"]
        case .finish: ["finished"]
        case .fail: ["failure(\(TestError.oops))"]
        case .cancel, .release: []
        }
      #expect(log.events == ["1"] + ending)
      #expect(!isArmed, "the closure has run")
    }
  }

  @Test func `A completion whose closure cancels is not delivered`() {
    let subject = PassthroughSubject<Int, TestError>()
    let log = Log()
    var cancellable: AnyCancellable?
    cancellable = subject.mapError { (error: TestError) -> TestError in
      cancellable?.cancel()
      return error
    }.sink(into: log)
    subject.send(completion: .failure(.oops))
    #expect(log.events.isEmpty)
  }

  @Test func `A failure of flatMap for which upstream is cancelled, which cancels the sink, is not delivered`() {
    let subject = PassthroughSubject<Int, TestError>()
    let log = Log()
    var cancellable: AnyCancellable?
    cancellable = subject.handleEvents(receiveCancel: { cancellable?.cancel() })
      .flatMap { (_: Int) in Fail<Int, TestError>(error: .oops) }.sink(into: log)
    subject.send(1)
    #expect(log.events.isEmpty)
    let other = PassthroughSubject<Int, TestError>()
    cancellable = other.handleEvents(receiveCancel: { cancellable?.cancel() })
      .map { (_: Int) in Fail<Int, TestError>(error: .oops) }.switchToLatest().sink(into: log)
    other.send(1)
    #expect(log.events.isEmpty)
  }

  @Test(arguments: [false, true])
  func `The result of a future is not delivered if a closure has cancelled`(isErased: Bool) {
    var promise: Future<Int, TestError>.Promise?
    let future = Future<Int, TestError> { promise = $0 }
    let log = Log()
    var cancellable: AnyCancellable?
    let interrupt = { cancellable?.cancel() }
    cancellable =
      isErased
      ? future.map { (value: Int) -> Int in
        interrupt()
        return value
      }.eraseToAnyPublisher().sink(into: log)
      : future.map { (value: Int) -> Int in
        interrupt()
        return value
      }.sink(into: log)
    promise?(.success(1))
    #expect(log.events.isEmpty)
  }

  @Test func `An owner that a closure frees is not used by the sink that refers to it unowned`() {
    final class Owner {
      var cancellable: AnyCancellable?
      var total = 0
    }
    var owner: Owner? = Owner()
    let subject = PassthroughSubject<Int, Never>()
    owner?.cancellable = subject.map { (value: Int) -> Int in
      owner = nil
      return value
    }.sink { [unowned owner = owner!] value in owner.total += value }
    subject.send(1)
    #expect(owner == nil)
  }
}
