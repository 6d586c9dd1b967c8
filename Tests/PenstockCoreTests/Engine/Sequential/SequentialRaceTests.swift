// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Requests and cancels from other threads while one upstream hands over to the next.
@Suite struct SequentialRaceTests {
  /// A number of values, delivered on the requesting thread, and a completion.
  private struct Part: Publisher {
    typealias Output = Int
    typealias Failure = TestError
    let length: Int
    let end: Subscribers.Completion<TestError>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      Record(output: Array(0..<length), completion: end).subscribe(subscriber)
    }
  }

  enum Kind: CaseIterable { case `catch`, retry, append }

  private func stream(_ kind: Kind) -> AnyPublisher<Int, TestError> {
    let (failing, finishing) = (Part(length: 7, end: .failure(.oops)), Part(length: 993, end: .finished))
    switch kind {
    case .catch: return failing.catch { _ in finishing }.eraseToAnyPublisher()
    case .retry:
      let made = Locked(0)
      return Deferred {
        made.change { made in
          made += 1
          return Part(length: 10, end: made < 100 ? .failure(.oops) : .finished)
        }
      }.retry(1_000).eraseToAnyPublisher()
    case .append:
      return (0..<99).reduce(Part(length: 10, end: .finished).eraseToAnyPublisher()) { stream, _ in
        stream.append(Part(length: 10, end: .finished)).eraseToAnyPublisher()
      }
    }
  }

  /// Of a thousand values, as many arrive as two threads request and deliveries return.
  @Test(arguments: Kind.allCases)
  func `Demand from several threads is neither lost nor doubled between two upstreams`(_ kind: Kind) {
    for _ in 0..<30 {
      let subscriber = Recorder<Int, TestError>(demand: nil)
      // Deliberately without a lock: deliveries are serial.
      var granted = 0
      subscriber.onValue = { [unowned subscriber] _ in
        guard subscriber.values.count.isMultiple(of: 3) else { return .none }
        granted += 1
        return .max(1)
      }
      stream(kind).subscribe(subscriber)
      onThreads(2) { _ in
        for _ in 0..<250 { subscriber.subscription?.request(.max(1)) }
      }
      // 500 were requested, and one more was returned for every third value.
      #expect(subscriber.isSerial)
      #expect(subscriber.values.count == granted + 500)
      subscriber.subscription?.request(.max(1_000))
      #expect(subscriber.values.count == 1_000)
      #expect(subscriber.completions.count == 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func `A cancel races with the change from one upstream to the next`(_ kind: Kind) {
    for _ in 0..<200 {
      let ended = Locked(false)
      let late = Locked(0)
      let recorder = Recorder<Int, TestError>(demand: nil)
      recorder.onValue = { _ in
        if ended.value { late.change { $0 += 1 } }
        return .none
      }
      stream(kind).subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads([
        { for _ in 0..<100 { subscription.value.request(.max(3)) } },
        {
          subscription.value.cancel()
          ended.change { $0 = true }
        },
      ])
      // One value may have been in flight.
      #expect(late.value <= 1)
      subscription.value.request(.max(1))
      #expect(recorder.completions.isEmpty || recorder.values.count == 1_000)
    }
  }

  @Test func `A cancel stops an endless loop of attempts on another thread`() {
    for _ in 0..<20 {
      let started = Gate()
      let recorder = Recorder<Int, TestError>()
      let source = ManualPublisher<Int, TestError>()
      let made = Locked(0)
      let attempt = Deferred { () -> AnyPublisher<Int, TestError> in
        let number = made.change { made in
          made += 1
          return made
        }
        if number == 1 { return source.eraseToAnyPublisher() }
        if number == 5 { started.open() }
        return Fail(error: .oops).eraseToAnyPublisher()
      }
      Publishers.Retry(upstream: attempt, retries: nil).subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      let box = UncheckedBox(source)
      onThreads([
        { box.value.send(completion: .failure(.oops)) },
        {
          started.wait()
          subscription.value.cancel()
        },
      ])
      #expect(recorder.completions.isEmpty)
    }
  }
}
