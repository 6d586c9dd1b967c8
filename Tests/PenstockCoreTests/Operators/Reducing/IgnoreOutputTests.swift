// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct IgnoreOutputTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test func `Downstream gets the subscription, and then everything is requested`() {
    var log: [String] = []
    source.subscription?.onRequest = { log.append("request \($0)") }
    let recorder = Recorder<Never, TestError>(demand: .max(2))
    recorder.onSubscription = { _ in log.append("subscription") }
    source.ignoreOutput().subscribe(recorder)
    recorder.request(.max(3))
    #expect(log == ["subscription", "request max(2)", "request unlimited", "request max(3)"])
  }

  @Test func `No value is delivered, whatever the demand`() {
    let recorder = Recorder<Never, Never>(demand: nil)
    Publishers.IgnoreOutput(upstream: (1...1000).publisher).subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["1...1000"])
    #expect(recorder.completions == [.finished])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The end gets through`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Never, TestError>(demand: nil)
    source.ignoreOutput().subscribe(recorder)
    #expect(source.send(1) == .none)
    source.send(completion: completion)
    #expect(recorder.completions == [completion])
  }

  @Test func `Two are equal when their upstreams are`() {
    typealias Ignoring = Publishers.IgnoreOutput<Just<Int>>
    #expect(Ignoring(upstream: Just(1)) == Ignoring(upstream: Just(1)))
    #expect(Ignoring(upstream: Just(1)) != Ignoring(upstream: Just(2)))
  }
}
