// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// The lines that `dump` and a debugger show below the name of a subscription or of an operator's subscriber: its own
/// children, and no line `super:` with a class of the library's.
@Suite struct MirrorTests {
  @Test(arguments: OperatorSpec.cold + OperatorSpec.unbuffered)
  func `An operator's subscription and its subscriber show no superclass`(_ spec: OperatorSpec) {
    OperatorContract.showsNoSuperclass(spec)
  }

  @Test(arguments: TimedCase.all)
  fileprivate func `A timed operator's subscription shows no superclass`(_ timed: TimedCase) {
    let (pipeline, _) = timed.pipeline()
    #expect(Mirror(reflecting: pipeline.subscription).superclassMirror == nil)
    OperatorContract.showsNoSuperclass(timed.spec(testClock()))
  }

  /// A publisher that makes its values, and subjects.
  enum Source: String, CaseIterable, Sendable {
    case just, optional, result, sequence, record, future, never, empty, fail, passthrough, current, finished, object
    case published, autoconnected, shared, multicast

    func attach(_ recorder: Recorder<Int, any Error>) {
      switch self {
      case .just: attach(Just(1), recorder)
      case .optional: attach(Optional(1).publisher, recorder)
      case .result: attach(Result<Int, TestError>.success(1).publisher, recorder)
      case .sequence: attach([1, 2].publisher, recorder)
      case .record: attach(Record<Int, TestError>(output: [1], completion: .finished), recorder)
      case .future: attach(Future<Int, TestError> { _ in }, recorder)
      case .never: attach(Empty<Int, TestError>(completeImmediately: false), recorder)
      case .empty: attach(Empty<Int, TestError>(), recorder)
      case .fail: attach(Fail<Int, TestError>(error: .oops), recorder)
      case .passthrough: attach(PassthroughSubject<Int, TestError>(), recorder)
      case .current: attach(CurrentValueSubject<Int, TestError>(1), recorder)
      case .finished:
        let subject = PassthroughSubject<Int, TestError>()
        subject.send(completion: .finished)
        attach(subject, recorder)
      case .object: attach(ObservableObjectPublisher().map { 1 }, recorder)
      case .published: attach(Holder().$value, recorder)
      case .autoconnected: attach(PassthroughSubject<Int, Never>().makeConnectable().autoconnect(), recorder)
      case .shared: attach(PassthroughSubject<Int, TestError>().share(), recorder)
      case .multicast: attach(Just(1).multicast { PassthroughSubject() }, recorder)
      }
    }

    private final class Holder {
      @Published var value = 1
    }

    private func attach(_ publisher: some Publisher<Int, some Error>, _ recorder: Recorder<Int, any Error>) {
      publisher.mapError { $0 as any Error }.subscribe(recorder)
    }
  }

  @Test(arguments: Source.allCases)
  func `A source's subscription shows no superclass`(_ source: Source) {
    let recorder = Recorder<Int, any Error>(demand: nil)
    source.attach(recorder)
    let subscription = recorder.subscriptions[0]
    #expect(Mirror(reflecting: subscription).superclassMirror == nil)
    recorder.cancel()
    #expect(Mirror(reflecting: subscription).superclassMirror == nil)
  }

  @Test func `A dump of the subscription of a sequence and of a result has no line of a superclass`() {
    for source in [Source.sequence, .result] {
      let recorder = Recorder<Int, any Error>(demand: nil)
      source.attach(recorder)
      var text = ""
      dump(recorder.subscriptions[0], to: &text)
      #expect(!text.contains("super"), "\(text)")
    }
  }
}
