// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Every operator downstream of the one publisher that does not count demand.
@Suite struct UncountedDemandTests {
  /// An object's publisher, as a stream of numbers with an end.
  private struct Uncounted: Sendable {
    let publisher = ObservableObjectPublisher()
    let end = PassthroughSubject<Void, TestError>()
    let clock = VirtualTimeScheduler()

    var stream: OperatorSpec.Stream {
      let number = Locked(0)
      return publisher.map {
        number.change { number in
          number += 1
          return number
        }
      }
      .setFailureType(to: TestError.self).prefix(untilOutputFrom: end).eraseToAnyPublisher()
    }

    func send() {
      for _ in 0..<5 {
        publisher.send()
        clock.advance(by: 0.4)
      }
    }
  }

  private func subscriber(_ demand: Subscribers.Demand) -> Recorder<Int, TestError> {
    Recorder(demand: demand == .none ? nil : demand)
  }

  @Test(arguments: OperatorSpec.paired, [0, 1])
  func `What it sends unasked is taken by every operator, and by every other below`(
    _ first: OperatorSpec, _ demand: Int
  ) {
    for second in OperatorSpec.paired {
      let uncounted = Uncounted()
      let subscriber = subscriber(.max(demand))
      second.apply(first.apply(uncounted.stream, clock: uncounted.clock), clock: uncounted.clock).subscribe(subscriber)
      uncounted.send()
      uncounted.end.send()
      uncounted.clock.advance(by: 10)
      subscriber.request(.max(1))
      subscriber.request(.unlimited)
      // Some operators subscribe to it only now, or again.
      for _ in 0..<4 where subscriber.completions.isEmpty {
        uncounted.send()
        uncounted.end.send()
        uncounted.clock.advance(by: 1_000)
      }
      #expect(subscriber.completions.count == 1, "\(first.name) | \(second.name)")
      subscriber.dismiss()
    }
  }

  @Test(arguments: OperatorSpec.paired)
  func `What it sends unasked is taken by a loop behind every operator`(_ first: OperatorSpec) async {
    for waits in [false, true] {
      let uncounted = Uncounted()
      let subscriber = AsyncSubscriber<Int, TestError>()
      first.apply(uncounted.stream, clock: uncounted.clock).subscribe(subscriber)
      let task = Task(executorPreference: uncounted.clock.executor) {
        if waits { _ = await subscriber.next(isolation: nil) }
      }
      // It waits, unless the stream is over by now.
      await uncounted.clock.advance()
      uncounted.send()
      uncounted.end.send()
      await uncounted.clock.advance(by: 10)
      // The values that some streams deliver after their end wait for one more call.
      subscriber.cancel()
      await uncounted.clock.advance()
      await task.value
    }
  }

  /// Each of these operators counts the demand of its requests, and traps if another publisher exceeds it.
  @Test func `Those that count deliver no more than they were asked for`() {
    let counting: [(OperatorSpec.Stream) -> OperatorSpec.Stream] = [
      { $0.retry(1).eraseToAnyPublisher() },
      { $0.catch { _ in Empty<Int, TestError>() }.eraseToAnyPublisher() },
      { $0.replaceError(with: 0).setFailureType(to: TestError.self).eraseToAnyPublisher() },
      { Just($0).switchToLatest().eraseToAnyPublisher() },
      { $0.append(7).eraseToAnyPublisher() },
      { $0.merge(with: Empty()).eraseToAnyPublisher() },
      { $0.flatMap { Just($0) }.eraseToAnyPublisher() },
    ]
    for entry in counting {
      let uncounted = Uncounted()
      let subscriber = subscriber(.max(2))
      entry(uncounted.stream.receive(on: ImmediateScheduler.shared).handleEvents().eraseToAnyPublisher())
        .subscribe(subscriber)
      uncounted.send()
      #expect(subscriber.values == [1, 2])
      #expect(subscriber.complaints.isEmpty)
    }
  }

  /// `drop(untilOutputFrom:)` has its upstream only after it has introduced itself, and it is over before the values go
  /// out.
  @Test func `Values that leave a line after the end are taken by those that count`() {
    let uncounted = Uncounted()
    let trigger = PassthroughSubject<Void, TestError>()
    let subscriber = subscriber(.max(1))
    let dropping = uncounted.stream.drop(untilOutputFrom: trigger).eraseToAnyPublisher()
    let delayed = dropping.delay(for: 3, scheduler: uncounted.clock).eraseToAnyPublisher()
    delayed.replaceError(with: 0).setFailureType(to: TestError.self).subscribe(subscriber)
    trigger.send()
    uncounted.send()
    uncounted.end.send()
    uncounted.clock.advance(by: 10)
    #expect(subscriber.values == [1])
    #expect(subscriber.completions.count == 1)
    #expect(subscriber.complaints.isEmpty)
  }
}
