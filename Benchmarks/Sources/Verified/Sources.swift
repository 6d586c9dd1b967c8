// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Verified {
  static var sources: [any Verification] {
    [
      PublisherVerification("Just").finite(1...1) { Just($0) },
      PublisherVerification("Sequence").finite { (0..<$0).publisher },
      PublisherVerification("Optional.publisher").finite(0...1) { ($0 == 0 ? nil : $0).publisher },
      PublisherVerification("Result.publisher").finite(1...1) { Result<Int, VerificationError>.success($0).publisher }
        .failing { Result<Int, VerificationError>.failure(.failed).publisher },
      PublisherVerification("Record").finite {
        Record(output: Array(0..<$0), completion: .finished) as Record<Int, VerificationError>
      }
      .failing { Record(output: [1], completion: .failure(VerificationError.failed)) },
      PublisherVerification("Future").finite(1...1) { count in Future<Int, VerificationError> { $0(.success(count)) } }
        .failing { Future<Int, VerificationError> { $0(.failure(.failed)) } },
      PublisherVerification("Deferred").finite { count in Deferred { (0..<count).publisher } },
    ]
  }

  static var subjects: [any Verification] {
    [
      SubjectVerification("PassthroughSubject") { PassthroughSubject<Int, VerificationError>() },
      SubjectVerification("CurrentValueSubject") { CurrentValueSubject<Int, VerificationError>(0) }
        .replaying(1, afterEnd: false),
    ]
  }

  static var subscribers: [any Verification] {
    [
      SubscriberVerification("Sink") {
        Subscribers.Sink<Int, VerificationError>(receiveCompletion: { _ in }, receiveValue: { _ in })
      }.cancelling { $0.cancel() },
      SubscriberVerification("Assign", input: { $0 }) {
        Subscribers.Assign<Box, Int>(object: Box(), keyPath: \.value)
      }.cancelling { $0.cancel() },
    ]
  }

  private final class Box { var value = 0 }
}
