// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The objects that a retained subscription keeps alive after the end of the stream: an operator's subscription is the
/// operator itself and keeps its subscriber, except for `retry`; a source's subscription releases it.
@Suite struct HeldSubscriptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keepsSubscriber: Bool
    let attach: @Sendable (PassthroughSubject<Int, TestError>, inout Graveyard) -> any Subscription

    init<P: Publisher & SendableMetatype>(
      _ name: String, keepsSubscriber: Bool, _ apply: @escaping @Sendable (PassthroughSubject<Int, TestError>) -> P
    ) {
      testDescription = name
      self.keepsSubscriber = keepsSubscriber
      attach = { subject, graveyard in
        let recorder = graveyard.watch(Recorder<P.Output, P.Failure>(), "subscriber")
        apply(subject).subscribe(recorder)
        defer { recorder.releaseSubscriptions() }
        return recorder.subscriptions[0]
      }
    }
  }

  static let sources: [Case] = [
    Case("subject", keepsSubscriber: false) { $0 },
    Case("sequence", keepsSubscriber: false) { _ in Publishers.Sequence<[Int], TestError>(sequence: [1, 2]) },
    Case("just", keepsSubscriber: false) { _ in Just(1) },
    Case("future", keepsSubscriber: false) { _ in Future<Int, TestError> { $0(.success(1)) } },
    Case("record", keepsSubscriber: false) { _ in Record<Int, TestError>(output: [1], completion: .finished) },
  ]

  /// Operators that deliver later, on a scheduler that runs everything at once.
  static let timed: [Case] = [
    Case("throttle", keepsSubscriber: false) {
      $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
    },
    Case("debounce", keepsSubscriber: true) { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) },
    Case("timeout", keepsSubscriber: true) { $0.timeout(1, scheduler: ImmediateScheduler.shared) },
    Case("collect by time", keepsSubscriber: true) { $0.collect(.byTime(ImmediateScheduler.shared, 1)) },
  ]

  static let operators = OperatorSpec.all.map { spec in
    // `delay` releases it, since its blocks may wait for long.
    Case(spec.name, keepsSubscriber: spec.keepsSubscriber && spec.name != "delay") {
      spec.apply($0.eraseToAnyPublisher())
    }
  }

  @Test(arguments: sources + operators + timed, [false, true])
  func `A subscription that is held when the stream is over keeps an operator's subscriber, not a source's`(
    _ candidate: Case, _ cancels: Bool
  ) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    var subscription: (any Subscription)? = candidate.attach(subject, &graveyard)
    subject.send(1)
    if cancels { subscription?.cancel() } else { subject.send(completion: .finished) }
    #expect(graveyard.survivors == (candidate.keepsSubscriber ? ["subscriber"] : []))
    subscription = nil
    #expect(graveyard.survivors.isEmpty)
  }
}
