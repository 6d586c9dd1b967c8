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
      ] + OperatorSpec.cold.map { spec in .init(spec.name) { spec.apply(elements.make()) } }
  }

  /// A recorder that requests a value when its subscription arrives, and makes another thread request one more.
  ///
  /// - Parameter requestsFirst: Whether it requests a value itself before the other thread does.
  private func introduced(requestsFirst: Bool) -> (recorder: Recorder<Int, TestError>, valuesAtOnce: () -> Int) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    var atOnce = 0
    recorder.onSubscription = { [unowned recorder] subscription in
      if requestsFirst { subscription.request(.max(1)) }
      atOnce = recorder.values.count
      let box = UncheckedBox(subscription)
      elsewhere { box.value.request(.max(1)) }
    }
    return (recorder, { atOnce })
  }

  @Test(arguments: Source.all, [false, true])
  func `A request from another thread is answered when the introduction is over`(_ source: Source, _ asksFirst: Bool) {
    let (introduced, _) = introduced(requestsFirst: asksFirst)
    source.make().subscribe(introduced)
    #expect(!introduced.hasOverlapped)
    // The values that are delivered if one thread requests all of them afterwards.
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.make().subscribe(recorder)
    if asksFirst { recorder.request(.max(1)) }
    recorder.request(.max(1))
    #expect(introduced.values == recorder.values)
    #expect(introduced.completions.count == recorder.completions.count)
  }

  @Test(arguments: Source.all.prefix(7))
  func `A request on the same thread is answered at once`(_ source: Source) {
    let (recorder, valuesAtOnce) = introduced(requestsFirst: true)
    source.make().subscribe(recorder)
    #expect(valuesAtOnce() == 1)
  }

  @Test(arguments: Source.all.prefix(7))
  func `Requests that race with the end of the introduction are all answered, once`(_ source: Source) {
    for _ in 0..<50 {
      let probe = Recorder<Int, TestError>(demand: nil)
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
      #expect(probe.isSerial)
      let recorder = Recorder<Int, TestError>(demand: .max(3))
      source.make().subscribe(recorder)
      #expect(probe.values == recorder.values)
      #expect(probe.completions == recorder.completions)
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
