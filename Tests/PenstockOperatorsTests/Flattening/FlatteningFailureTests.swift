// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The operators that make publishers from values, when one side can fail, or none.
///
/// `@unchecked`: what a form creates is used on one thread.
private struct FlatteningForm: @unchecked Sendable, CustomTestStringConvertible {
  typealias Upstream = ManualPublisher<Int, TestError>

  let testDescription: String
  /// The closure's publisher cannot fail.
  let ofSafe: (Upstream) -> AnyPublisher<Int, TestError>
  /// Upstream cannot fail; the closure's publisher fails for 3.
  let safeUpstream: (AnyPublisher<Int, Never>) -> AnyPublisher<Int, TestError>
  let bothSafe: (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>

  private static func failing(_ value: Int) -> Result<Int, TestError>.Publisher {
    .init(value == 3 ? .failure(.oops) : .success(value))
  }

  static let all = [
    FlatteningForm(
      testDescription: "concatMap", ofSafe: { $0.concatMap { Just(-$0) }.eraseToAnyPublisher() },
      safeUpstream: { $0.concatMap { failing($0) }.eraseToAnyPublisher() },
      bothSafe: { $0.concatMap { Just(-$0) }.eraseToAnyPublisher() }),
    FlatteningForm(
      testDescription: "flatMapFirst", ofSafe: { $0.flatMapFirst { Just(-$0) }.eraseToAnyPublisher() },
      safeUpstream: { $0.flatMapFirst { failing($0) }.eraseToAnyPublisher() },
      bothSafe: { $0.flatMapFirst { Just(-$0) }.eraseToAnyPublisher() }),
    FlatteningForm(
      testDescription: "flatMapLatest", ofSafe: { $0.flatMapLatest { Just(-$0) }.eraseToAnyPublisher() },
      safeUpstream: { $0.flatMapLatest { failing($0) }.eraseToAnyPublisher() },
      bothSafe: { $0.flatMapLatest { Just(-$0) }.eraseToAnyPublisher() }),
    FlatteningForm(
      testDescription: "flatMapSequential",
      ofSafe: { $0.flatMapSequential(maxPublishers: .max(2), prefetch: 1) { Just(-$0) }.eraseToAnyPublisher() },
      safeUpstream: { $0.flatMapSequential { failing($0) }.eraseToAnyPublisher() },
      bothSafe: { $0.flatMapSequential(prefetch: .max) { Just(-$0) }.eraseToAnyPublisher() }),
  ]
}

@Suite struct FlatteningFailureTests {
  @Test(arguments: FlatteningForm.all)
  private func `A publisher that cannot fail becomes part of a stream that can`(_ form: FlatteningForm) {
    let (upstream, recorder) = (ManualPublisher<Int, TestError>(), Recorder<Int, TestError>())
    form.ofSafe(upstream).subscribe(recorder)
    for value in 1...2 { upstream.send(value) }
    upstream.send(completion: .failure(.oops))
    #expect(recorder.values == [-1, -2] && recorder.completions == [.failure(.oops)])
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: FlatteningForm.all)
  private func `A publisher that can fail becomes part of a stream that cannot, and fails it`(_ form: FlatteningForm) {
    let recorder = Recorder<Int, TestError>()
    form.safeUpstream((1...4).publisher.eraseToAnyPublisher()).subscribe(recorder)
    #expect(recorder.values == [1, 2] && recorder.completions == [.failure(.oops)])
  }

  @Test(arguments: FlatteningForm.all)
  private func `Where neither can fail, the result cannot`(_ form: FlatteningForm) {
    let recorder = Recorder<Int, Never>()
    form.bothSafe((1...3).publisher.eraseToAnyPublisher()).subscribe(recorder)
    #expect(recorder.values == [-1, -2, -3] && recorder.isFinished)
  }

  @Test func `A prefetch of everything is requested as everything, once`() {
    let (inner, recorder) = (ManualPublisher<Int, TestError>(), Recorder<Int, TestError>())
    Just(1).setFailureType(to: TestError.self).flatMapSequential(prefetch: .max) { _ in inner }.subscribe(recorder)
    #expect(inner.send(1) == .none && inner.send(2) == .none)
    #expect(recorder.values == [1, 2] && inner.calls == [.requested(.unlimited)])
  }
}
