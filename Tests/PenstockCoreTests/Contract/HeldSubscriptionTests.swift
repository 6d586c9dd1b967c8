// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// What a retained subscription keeps alive after the end of the stream: an operator's subscription is the operator
/// itself and keeps its subscriber, except for `retry`; a source's subscription releases it.
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

  static let cases: [Case] = [
    Case("subject", keepsSubscriber: false) { $0 },
    Case("map", keepsSubscriber: false) { $0.map { $0 } },
    Case("multicast", keepsSubscriber: false) { $0.multicast(subject: PassthroughSubject()).autoconnect() },
    Case("sequence", keepsSubscriber: false) { _ in Publishers.Sequence<[Int], TestError>(sequence: [1, 2]) },
    Case("just", keepsSubscriber: false) { _ in Just(1) },
    Case("future", keepsSubscriber: false) { _ in Future<Int, TestError> { $0(.success(1)) } },
    Case("record", keepsSubscriber: false) { _ in Record<Int, TestError>(output: [1], completion: .finished) },
    Case("filter", keepsSubscriber: false) { $0.filter { $0 > 0 } },
    Case("scan", keepsSubscriber: false) { $0.scan(0, +) },
    Case("ignoreOutput", keepsSubscriber: false) { $0.ignoreOutput() },
    Case("share", keepsSubscriber: false) { $0.share() },
    Case("throttle", keepsSubscriber: false) {
      $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
    },
    Case("receive(on:)", keepsSubscriber: true) { $0.receive(on: ImmediateScheduler.shared) },
    Case("subscribe(on:)", keepsSubscriber: true) { $0.subscribe(on: ImmediateScheduler.shared) },
    Case("delay", keepsSubscriber: true) { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) },
    Case("debounce", keepsSubscriber: true) { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) },
    Case("timeout", keepsSubscriber: true) { $0.timeout(1, scheduler: ImmediateScheduler.shared) },
    Case("measureInterval", keepsSubscriber: true) { $0.measureInterval(using: ImmediateScheduler.shared) },
    Case("collect by time", keepsSubscriber: true) { $0.collect(.byTime(ImmediateScheduler.shared, 1)) },
    Case("encode", keepsSubscriber: true) { $0.encode(encoder: Texts()) },
    Case("drop(while:)", keepsSubscriber: true) { $0.drop { $0 < 0 } },
    Case("first", keepsSubscriber: true) { $0.first() },
    Case("tryMap", keepsSubscriber: true) { $0.tryMap { $0 } },
    Case("removeDuplicates", keepsSubscriber: true) { $0.removeDuplicates() },
    Case("prefix", keepsSubscriber: true) { $0.prefix(3) },
    Case("collect", keepsSubscriber: true) { $0.collect() },
    Case("collect(2)", keepsSubscriber: true) { $0.collect(2) },
    Case("replaceError", keepsSubscriber: true) { $0.replaceError(with: 1) },
    Case("replaceEmpty", keepsSubscriber: true) { $0.replaceEmpty(with: 1) },
    Case("print", keepsSubscriber: true) { $0.print(to: Nowhere()) },
    Case("handleEvents", keepsSubscriber: true) { $0.handleEvents(receiveOutput: { _ in }) },
    Case("dropFirst", keepsSubscriber: true) { $0.dropFirst() },
    Case("catch", keepsSubscriber: true) { $0.catch { _ in Empty<Int, TestError>() } },
    Case("retry", keepsSubscriber: false) { $0.retry(1) },
    Case("append", keepsSubscriber: true) { $0.append(1) },
    Case("buffer", keepsSubscriber: true) { $0.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest) },
    Case("flatMap", keepsSubscriber: true) { $0.flatMap { Just($0) } },
    Case("switchToLatest", keepsSubscriber: true) { $0.map { Just($0) }.switchToLatest() },
    Case("prefix(untilOutputFrom:)", keepsSubscriber: true) { $0.prefix(untilOutputFrom: Empty<Int, Never>()) },
    Case("drop(untilOutputFrom:)", keepsSubscriber: true) {
      $0.drop(untilOutputFrom: Empty<Int, TestError>(completeImmediately: false))
    },
    Case("merge", keepsSubscriber: true) { $0.merge(with: Empty(outputType: Int.self, failureType: TestError.self)) },
    Case("zip", keepsSubscriber: true) { $0.zip($0) },
    Case("combineLatest", keepsSubscriber: true) { $0.combineLatest($0) },
  ]

  private struct Nowhere: TextOutputStream {
    func write(_ text: String) {}
  }

  private struct Texts: TopLevelEncoder {
    func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
  }

  @Test(arguments: cases, [false, true])
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
