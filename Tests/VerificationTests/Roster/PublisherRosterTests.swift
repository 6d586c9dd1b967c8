// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Every publisher, subject, subscriber and scheduler of the library that is not an operator, verified by the product.
enum Roster {
  static let publishers: [PublisherVerification] = [
    PublisherVerification("Just").finite(1...1) { Just($0) },
    PublisherVerification("Empty").finite(0...0) { _ in Empty<Int, TestError>() },
    PublisherVerification("Fail").finite(0...0) { _ in Empty<Int, TestError>() }
      .failing { Fail<Int, TestError>(error: .oops) },
    PublisherVerification("Sequence").finite { (0..<$0).publisher },
    PublisherVerification("Record").finite {
      Record(output: Array(0..<$0), completion: .finished) as Record<Int, TestError>
    }
    .failing { Record(output: [1], completion: .failure(TestError.oops)) },
    PublisherVerification("Optional.Publisher").finite(0...1) { ($0 == 0 ? nil : $0).publisher },
    PublisherVerification("Result.Publisher").finite(1...1) { Result<Int, TestError>.Publisher($0) }
      .failing { Result<Int, TestError>.Publisher(TestError.oops) },
    PublisherVerification("Future").finite(1...1) { count in Future<Int, TestError> { $0(.success(count)) } }
      .failing { Future<Int, TestError> { $0(.failure(.oops)) } },
    PublisherVerification("Deferred").finite { count in Deferred { (0..<count).publisher } },
    PublisherVerification("AnyPublisher").finite { (0..<$0).publisher.eraseToAnyPublisher() },
    PublisherVerification("generate").finite { count in
      Publishers.generate(state: 0) { (state: inout Int) -> Int? in
        if state == count { return nil }
        defer { state += 1 }
        return state
      }
    }.waiving("P-07", because: "only the closure knows that there is no more, and it is called with demand"),
    PublisherVerification("create").finite { count in
      AnyPublisher<Int, TestError>.create { emitter in
        for number in 0..<count { emitter.send(number) }
        emitter.send(completion: .finished)
        return AnyCancellable {}
      }
    },
    PublisherVerification("using").finite { count in
      Publishers.using {
        count
      } cleanup: { _ in
      } publisher: {
        (0..<$0).publisher
      }
    },
    PublisherVerification("MisbehavingPublisher").finite { MisbehavingPublisher(Array(0..<$0)) },
  ]

  static let subjects: [SubjectVerification] = [
    SubjectVerification("PassthroughSubject") { PassthroughSubject<Int, VerificationError>() },
    SubjectVerification("CurrentValueSubject") { CurrentValueSubject<Int, VerificationError>(0) }
      .replaying(1, afterEnd: false),
    SubjectVerification("ReplaySubject") { ReplaySubject<Int, VerificationError>(capacity: 3) }
      .replaying(3, afterEnd: true),
    SubjectVerification("PassthroughRelay", { PassthroughRelay<Int>() }, send: { $0.accept($1) }, end: nil),
    SubjectVerification("CurrentValueRelay", { CurrentValueRelay(0) }, send: { $0.accept($1) }, end: nil)
      .replaying(1, afterEnd: false),
    SubjectVerification("ReplayRelay", { ReplayRelay<Int>(capacity: 3) }, send: { $0.accept($1) }, end: nil)
      .replaying(3, afterEnd: false),
  ]

  static let subscribers: [any Verification] = [
    SubscriberVerification("Subscribers.Sink") {
      Subscribers.Sink<Int, VerificationError>(receiveCompletion: { _ in }, receiveValue: { _ in })
    }.cancelling { $0.cancel() },
    SubscriberVerification("Subscribers.Assign", input: { $0 }) {
      Subscribers.Assign<Box, Int>(object: Box(), keyPath: \.value)
    }.cancelling { $0.cancel() },
    SubscriberVerification("Subscribers.PausableSink") {
      Subscribers.PausableSink<Int, VerificationError>(receiveCompletion: { _ in }, receiveValue: { _ in true })
    }.cancelling { $0.cancel() },
  ]

  private final class Box { var value = 0 }

  static let schedulers: [any Verification] = [
    SchedulerVerification("VirtualTimeScheduler") {
      VirtualTimeScheduler()
    } advance: {
      $0.advance(by: $1)
    },
    SchedulerVerification("RecordingScheduler") {
      RecordingScheduler(VirtualTimeScheduler())
    } advance: {
      $0.base.advance(by: $1)
    },
  ]
}

@Suite struct PublisherRosterTests {
  @Test(arguments: Roster.publishers + Roster.subjects + Roster.subscribers + Roster.schedulers as [any Verification])
  func `Every publisher, subject, subscriber and scheduler keeps the rules`(_ verification: any Verification) async {
    await judge(verification)
  }
}
