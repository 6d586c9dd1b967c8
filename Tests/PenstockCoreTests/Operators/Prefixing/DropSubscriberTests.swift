// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A sink below `dropFirst` gets the promise that the end of deliveries is reported, before there is an upstream to
/// report it.
@Suite struct DropSubscriberTests {
  private final class Observer: QuiescenceObserver {
    var told = 0
    func deliveriesEnded() { told += 1 }
  }

  /// A recorder to which a source may promise quiescence, as to one of the library's own subscribers.
  private struct Trusted: Subscriber {
    let recorder: Recorder<Int, TestError>

    var combineIdentifier: CombineIdentifier { recorder.combineIdentifier }
    var _isSynchronous: Bool { true }

    func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }
    func receive(_ input: Int) -> Subscribers.Demand { recorder.receive(input) }
    func receive(completion: Subscribers.Completion<TestError>) { recorder.receive(completion: completion) }
  }

  /// Registers an observer with `dropFirst` before upstream's subscription arrives, as a sink does.
  private func observed(_ source: some Publisher<Int, TestError>) -> (Observer, Recorder<Int, TestError>) {
    let observer = Observer()
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { #expect(($0 as? BaseSubscription)?.observeQuiescence(observer) == true) }
    source.dropFirst(1).subscribe(Trusted(recorder: recorder))
    return (observer, recorder)
  }

  @Test func `A source of the library keeps the promise`() {
    let subject = PassthroughSubject<Int, TestError>()
    let (observer, recorder) = observed(subject)
    recorder.request(.unlimited)
    subject.send(1)
    subject.send(2)
    #expect(observer.told == 0)
    subject.send(completion: .finished)
    #expect(observer.told == 1)
    #expect(recorder.values == [2])
  }

  @Test func `It is taken back when upstream cannot keep it`() {
    let (observer, _) = observed(ManualPublisher<Int, TestError>())
    #expect(observer.told == 1)
  }

  @Test(arguments: ["value", "completion", "cancel"])
  func `It is taken back when anything comes before the subscription`(_ event: String) {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let (observer, recorder) = observed(source)
    #expect(observer.told == 0)
    switch event {
    case "value": source.send(1)
    case "completion": source.send(completion: .finished)
    default: recorder.cancel()
    }
    #expect(observer.told == 1)
    let subscription = recorder.subscriptions[0] as? BaseSubscription
    #expect(subscription?.observeQuiescence(Observer()) == false)
  }

  @Test func `One observer at most is promised`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let (_, recorder) = observed(source)
    #expect((recorder.subscriptions[0] as? BaseSubscription)?.observeQuiescence(Observer()) == false)
  }
}
