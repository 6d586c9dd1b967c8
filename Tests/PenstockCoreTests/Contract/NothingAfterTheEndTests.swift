// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Operators between a source and a `sink`, whose first closure interrupts.
private enum Chain: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case map
  case filter
  case compactMap = "compactMap and map"
  case scan
  case tryMap = "tryMap and mapError"
  case prefix = "prefix(3) and map"
  case removeDuplicates
  case erased = "map, erased"
  case flatMap = "flatMap to Just, then map"
  case switchToLatest = "switchToLatest, then map"
  case inner = "flatMap whose inner map interrupts"
  case share = "share and map"
  case subject = "map and an assignment of a subject"

  var testDescription: String { rawValue }

  /// Whether the values are those of inner publishers.
  var flattens: Bool { [.flatMap, .switchToLatest, .inner].contains(self) }

  /// Attaches a sink downstream of the operators.
  ///
  /// Typed all the way, so that the operators may be fused and the sink may reside in its source.
  func attach(
    _ source: some Publisher<Int, TestError>, _ interrupt: @escaping () -> Void, _ log: Log
  ) -> AnyCancellable {
    let pass = { (value: Int) -> Int in
      interrupt()
      return value
    }
    let wrap = { (value: Int) in Just(value).setFailureType(to: TestError.self) }
    switch self {
    case .map:
      return source.map(pass).sink(into: log)
    case .filter:
      return source.filter { pass($0) >= 0 }.sink(into: log)
    case .compactMap:
      return source.compactMap { (value: Int) -> Int? in pass(value) }.map { (value: Int) -> Int in value }
        .sink(into: log)
    case .scan:
      return source.scan(0) { (_: Int, value: Int) -> Int in pass(value) }.sink(into: log)
    case .tryMap:
      return source.tryMap { (value: Int) throws -> Int in pass(value) }
        .mapError { (error: any Error) -> TestError in error as? TestError ?? .oops }.sink(into: log)
    case .prefix:
      return source.prefix(3).map(pass).sink(into: log)
    case .removeDuplicates:
      // The first value is not compared.
      return source.prepend(-1).filter { $0 >= 0 }.map(pass).removeDuplicates().sink(into: log)
    case .erased:
      return source.map(pass).eraseToAnyPublisher().map { (value: Int) -> Int in value }.sink(into: log)
    case .flatMap:
      return source.flatMap(wrap).map(pass).sink(into: log)
    case .switchToLatest:
      return source.map(wrap).switchToLatest().map(pass).sink(into: log)
    case .inner:
      return source.flatMap { wrap($0).map(pass) }.sink(into: log)
    case .share:
      return source.share().map(pass).sink(into: log)
    case .subject:
      let subject = PassthroughSubject<Int, TestError>()
      let below = subject.sink(into: log)
      let above = source.map(pass).subscribe(subject)
      return AnyCancellable {
        above.cancel()
        below.cancel()
      }
    }
  }
}

/// The events that a sink has received.
private final class Log: @unchecked Sendable {
  var events: [String] = []
}

extension Publisher where Output == Int, Failure == TestError {
  fileprivate func sink(into log: Log) -> AnyCancellable {
    sink(receiveCompletion: { log.events.append("\($0)") }, receiveValue: { log.events.append("\($0)") })
  }
}

/// A way for a closure to end the stream in which it is called.
private enum Interruption: CaseIterable, Sendable {
  case finish, fail, cancel, release
}

@Suite struct NothingAfterTheEndTests {
  @Test(arguments: Chain.allCases, Interruption.allCases)
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
        cancellable = chain.attach(subject, interrupt, log)
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
        // The publisher that has delivered the value has not finished.
        case .finish where chain.flattens: ["2", "finished"]
        case .finish: ["finished"]
        case .fail: ["failure(\(TestError.oops))"]
        case .cancel, .release: []
        }
      #expect(log.events == ["1"] + ending)
      #expect(!isArmed, "the closure has run")
    }
  }

  /// The exception of rules 1 and 5; operators beyond Combine's are in `ClosuresThatEndTests`.
  @Test(arguments: Interruption.allCases)
  private func `A subscriber of one's own gets what a closure of Combine's operators has made, as in Combine`(
    _ interruption: Interruption
  ) {
    let operators: [(PassthroughSubject<Int, TestError>, @escaping () -> Void) -> AnyPublisher<Int, TestError>] = [
      { source, interrupt in
        source.map {
          interrupt()
          return $0
        }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.filter { _ in
          interrupt()
          return true
        }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.tryMap { (value: Int) throws -> Int in
          interrupt()
          return value
        }.mapError { $0 as! TestError }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.tryFilter { _ in
          interrupt()
          return true
        }.mapError { $0 as! TestError }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.prepend(0).removeDuplicates { (_: Int, _: Int) in
          interrupt()
          return false
        }.filter { $0 > 0 }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.prefix { (_: Int) in
          interrupt()
          return true
        }.eraseToAnyPublisher()
      },
      { source, interrupt in
        source.drop { (_: Int) in
          interrupt()
          return false
        }.eraseToAnyPublisher()
      },
    ]
    for (index, build) in operators.enumerated() {
      let source = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      let interrupt = {
        switch interruption {
        case .finish: source.send(completion: .finished)
        case .fail: source.send(completion: .failure(.oops))
        case .cancel: recorder.cancel()
        case .release: recorder.dismiss()
        }
      }
      build(source, interrupt).subscribe(recorder)
      source.send(1)
      #expect(recorder.values == [1], "\(index)")
      recorder.dismiss()
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
    let values = future.map { (value: Int) -> Int in
      interrupt()
      return value
    }
    cancellable = isErased ? values.eraseToAnyPublisher().sink(into: log) : values.sink(into: log)
    promise?(.success(1))
    #expect(log.events.isEmpty)
  }

  @Test func `A closure that has thrown is not called again, though a value was on its way`() {
    for isErased in [false, true] {
      let subject = PassthroughSubject<Int, Never>()
      var calls: [Int] = []
      let sending = subject.filter { (value: Int) -> Bool in
        if value == 1 { subject.send(2) }
        return true
      }
      let log = Log()
      func attach(_ source: some Publisher<Int, Never>) -> AnyCancellable {
        source.tryScan(0) { (_: Int, value: Int) throws -> Int in
          calls.append(value)
          throw TestError.oops
        }.mapError { (error: any Error) -> TestError in error as? TestError ?? .oops }.sink(into: log)
      }
      let cancellable = isErased ? attach(sending.eraseToAnyPublisher()) : attach(sending)
      subject.send(1)
      #expect(calls == [2])
      #expect(log.events == ["failure(\(TestError.oops))"])
      withExtendedLifetime(cancellable) {}
    }
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
