// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// An operator whose asynchronous closure runs while a value is handled, with an upstream of six values and no end.
private struct AsyncClosureForm: Sendable, CustomTestStringConvertible {
  typealias Source = AnyPublisher<Int, TestError>
  typealias Call = @Sendable () async -> Void

  let testDescription: String
  /// Returns what is wrong with what follows when a call of the closure ends the stream in this way; empty if nothing
  /// is wrong.
  let complaints: @Sendable (ClosureForm.Interruption, _ turn: Int) async -> [String]

  /// - Parameter isSerial: Whether nothing else is on its way when the closure is called.
  init<P: Publisher & SendableMetatype>(
    _ name: String, isSerial: Bool = true, _ build: @escaping @Sendable (Source, @escaping Call) -> P
  ) where P.Output: Sendable {
    testDescription = name
    complaints = { interruption, turn in
      let stop = UncheckedBox(PassthroughSubject<Void, Never>())
      let failure = UncheckedBox(PassthroughSubject<Int, TestError>())
      let probe = Probe<P.Output, P.Failure>()
      let calls = Locked((begun: 0, ended: 0, isInterrupted: false))
      let call: Call = {
        let isTurn = calls.change {
          $0.begun += 1
          return $0.begun == turn
        }
        if isTurn {
          switch interruption {
          case .finish: stop.value.send()
          case .fail: failure.value.send(completion: .failure(.oops))
          case .cancel: probe.recorder.cancel()
          }
        }
        calls.change {
          $0.ended += 1
          if isTurn { $0.isInterrupted = true }
        }
      }
      let source = (1...6).publisher.setFailureType(to: TestError.self)
        .append(Empty(completeImmediately: false))
        .merge(with: failure.value)
        .prefix(untilOutputFrom: stop.value)
        .eraseToAnyPublisher()
      build(source, call).subscribe(probe.recorder)
      guard await reached({ calls.value.isInterrupted }) else { return ["the closure has not run"] }
      if interruption != .cancel { _ = await probe.completion() }
      guard await reached({ calls.value.begun == calls.value.ended }) else { return ["a closure hangs"] }
      // Anything that would still arrive arrives at the latest when tasks that wait for nothing have run.
      for _ in 0..<20 { await Task.yield() }
      var found = probe.recorder.complaints
      if !isSerial { found.removeAll { $0.hasSuffix("after cancel") } }
      if probe.recorder.completions.count > 1 { found.append("\(probe.recorder.completions.count) completions") }
      if probe.recorder.hasOverlapped { found.append("overlapping signals") }
      return found
    }
  }

  static let all: [AsyncClosureForm] = [
    .init("mapAsync") { source, call in
      source.mapAsync { number in
        await call()
        return number
      }
    },
    .init("mapAsync, three at a time", isSerial: false) { source, call in
      source.mapAsync(maxTasks: .max(3)) { number in
        await call()
        return number
      }
    },
    .init("mapAsync, any number, out of order", isSerial: false) { source, call in
      source.mapAsync(maxTasks: .unlimited, inOrder: false) { number in
        await call()
        return number
      }
    },
    .init("mapAsync, by key", isSerial: false) { source, call in
      source.mapAsync(maxTasks: .max(3), by: { $0 % 2 }) { number in
        await call()
        return number
      }
    },
    .init("tryMapAsync") { source, call in
      source.tryMapAsync { number in
        await call()
        return number
      }
    },
    .init("tryMapAsync, failing") { source, call in
      source.tryMapAsync { (number: Int) -> Int in
        await call()
        if number == 4 { throw TestError("four") }
        return number
      }
    },
    .init("flatMap, the closure") { source, call in
      source.flatMap(maxPublishers: .max(1)) { (number: Int) async in
        await call()
        return Just(number).setFailureType(to: TestError.self)
      }
    },
    .init("flatMap, the closures", isSerial: false) { source, call in
      source.flatMap { (number: Int) async in
        await call()
        return Just(number).setFailureType(to: TestError.self)
      }
    },
    .init("Deferred") { source, call in
      source.concatMap { number in
        Deferred { () async throws(TestError) -> Int in
          await call()
          return number
        }
      }
    },
    .init("fetching") { source, call in
      source.concatMap { _ in
        Publishers.fetching(batch: 1...2) { (count: Int) async throws(TestError) -> [Int]? in
          await call()
          return [count]
        }
        .prefix(2)
      }
    },
    .init("pages") { source, call in
      source.concatMap { _ in
        Publishers.pages(first: 0) { (page: Int) async throws(TestError) -> (values: [Int], next: Int?) in
          await call()
          return ([page], page < 2 ? page + 1 : nil)
        }
      }
    },
    .init("using, the beginning") { source, call in
      source.concatMap { number in
        Publishers.using(
          acquiring: { () async throws(TestError) -> Int in
            await call()
            return number
          }, releasing: { _ in }, publisher: { Just($0).setFailureType(to: TestError.self) })
      }
    },
    .init("using, the release") { source, call in
      source.concatMap { number in
        Publishers.using(
          acquiring: { () async throws(TestError) -> Int in number }, releasing: { _ in await call() },
          publisher: { Just($0).setFailureType(to: TestError.self) })
      }
    },
    .init("a sequence") { source, call in
      source.concatMap { _ in
        var numbers = PacedNumbers<TestError>(2)
        numbers.before = { _ in await call() }
        return numbers.publisher
      }
    },
  ]
}

/// The asynchronous operators, in addition to `ClosuresThatEndTests`.
@Suite struct AsyncClosuresThatEndTests {
  @Test(arguments: AsyncClosureForm.all, ClosureForm.Interruption.allCases)
  private func `Nothing follows when the asynchronous closure has ended the stream`(
    _ form: AsyncClosureForm, _ interruption: ClosureForm.Interruption
  ) async {
    for turn in 1...4 {
      #expect(await form.complaints(interruption, turn) == [], "at call \(turn)")
    }
  }
}
