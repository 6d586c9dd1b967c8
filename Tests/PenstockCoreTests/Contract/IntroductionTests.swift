// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Requests that another thread makes while a subscriber's `receive(subscription:)` runs.
@Suite struct IntroductionTests {
  /// A publisher that can deliver as soon as it is requested.
  struct Source: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> AnyPublisher<Int, TestError>

    init<P: Publisher<Int, TestError> & SendableMetatype>(_ name: String, _ make: @escaping @Sendable () -> P) {
      testDescription = name
      self.make = { make().eraseToAnyPublisher() }
    }

    /// The elements that operators get.
    static let elements = Source("Sequence") { Publishers.Sequence(sequence: 1...6) }

    static let all: [Source] =
      [
        .init("Just") { Just(1).setFailureType(to: TestError.self) },
        .init("Optional") { Optional(1).publisher.setFailureType(to: TestError.self) },
        .init("Result") { Result<Int, TestError>.success(1).publisher },
        elements,
        .init("Record") { Record(output: [1, 2, 3], completion: .failure(.oops)) },
        .init("Future") { Future { $0(.success(1)) } },
        .init("Deferred") { Deferred { Result<Int, TestError>.success(1).publisher } },
        .init("append") { Publishers.Concatenate(prefix: elements.make(), suffix: elements.make()) },
        .init("buffer, kept full") { elements.make().buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) },
        .init("buffer, by request") { elements.make().buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) },
      ] + RosterEntry.cold.map { entry in .init(entry.name) { entry.apply(elements.make()) } }
  }

  /// Requests a value when its subscription arrives, and makes another thread request one more.
  private final class Introduced: Subscriber, Sendable {
    typealias Input = Int
    typealias Failure = TestError

    let asksFirst: Bool
    let isMeeting = Locked(false)
    let overlaps = Locked(0)
    let atOnce = Locked(0)
    let values = Locked<[Int]>([])
    let ends = Locked(0)

    init(asksFirst: Bool) { self.asksFirst = asksFirst }

    func receive(subscription: any Subscription) {
      if asksFirst { subscription.request(.max(1)) }
      atOnce.change { $0 = values.value.count }
      let box = UncheckedBox(subscription)
      isMeeting.change { $0 = true }
      elsewhere { box.value.request(.max(1)) }
      isMeeting.change { $0 = false }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      if isMeeting.value { overlaps.change { $0 += 1 } }
      values.change { $0.append(input) }
      return .none
    }

    func receive(completion: Subscribers.Completion<TestError>) {
      if isMeeting.value { overlaps.change { $0 += 1 } }
      ends.change { $0 += 1 }
    }
  }

  @Test(arguments: Source.all, [false, true])
  func `A request from another thread is answered when the introduction is over`(_ source: Source, _ asksFirst: Bool) {
    let subscriber = Introduced(asksFirst: asksFirst)
    source.make().subscribe(subscriber)
    #expect(subscriber.overlaps.value == 0)
    // The values that are delivered if one thread requests all of them afterwards.
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.make().subscribe(recorder)
    if asksFirst { recorder.request(.max(1)) }
    recorder.request(.max(1))
    #expect(subscriber.values.value == recorder.values)
    #expect(subscriber.ends.value == recorder.completions.count)
  }

  @Test(arguments: Source.all.prefix(7))
  func `A request on the same thread is answered at once`(_ source: Source) {
    let subscriber = Introduced(asksFirst: true)
    source.make().subscribe(subscriber)
    #expect(subscriber.atOnce.value == 1)
  }

  @Test(arguments: Source.all.prefix(7))
  func `Requests that race with the end of the introduction are all answered, once`(_ source: Source) {
    for _ in 0..<50 {
      let probe = SerialProbe<Int, TestError>()
      let (begun, asked) = (Gate(), Locked(0))
      onThreads([
        {
          source.make().subscribe(
            AnySubscriber<Int, TestError>(
              receiveSubscription: {
                probe.receive(subscription: $0)
                begun.open()
              },
              receiveValue: { probe.receive($0) },
              receiveCompletion: { probe.receive(completion: $0) }))
        },
        {
          begun.wait()
          for _ in 0..<3 { probe.request(.max(1)) }
          asked.change { $0 += 1 }
        },
      ])
      #expect(asked.value == 1)
      #expect(!probe.hasOverlapped)
      let recorder = Recorder<Int, TestError>(demand: .max(3))
      source.make().subscribe(recorder)
      #expect(probe.values == recorder.values)
      #expect(probe.completions == recorder.completions.count)
    }
  }

  @Test(arguments: Source.all.prefix(7))
  func `A cancel from another thread drops a request that is held back`(_ source: Source) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { subscription in
      let box = UncheckedBox(subscription)
      elsewhere {
        box.value.request(.unlimited)
        box.value.cancel()
      }
    }
    source.make().subscribe(recorder)
    #expect(recorder.events.count == 1)
  }
}
