// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The behaviour of `dropFirst` when upstream or downstream breaks the rules.
@Suite struct DropMisuseTests {
  private let source = ManualPublisher<Int, TestError>(subscription: nil)

  @Test func `A negative count is no mistake before upstream subscribes`() {
    _ = source.dropFirst(-1)
    source.dropFirst(-1).subscribe(Recorder<Int, TestError>())
    #expect(source.subscribers.count == 1)
  }

  @Test func `A negative count traps when upstream subscribes`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualPublisher<Int, TestError>().dropFirst(-1).subscribe(Recorder<Int, TestError>())
    }
    expectMessage(result, "dropFirst takes a count of 0 or more")
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualPublisher<Int, TestError>().dropFirst(1).subscribe(Recorder<Int, TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `Values before the subscription are counted and delivered`() {
    let recorder = Recorder<Int, TestError>(demand: nil, answering: .max(3))
    source.dropFirst(1).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .max(3))
    #expect(recorder.values == [2])
  }

  @Test func `Completions are forwarded before a subscription, and repeatedly`() {
    let recorder = Recorder<Int, TestError>()
    source.dropFirst(1).subscribe(recorder)
    source.send(completion: .finished)
    source.send(completion: .failure(.oops))
    #expect(recorder.completions == [.finished, .failure(.oops)])
  }

  @Test func `A second subscription is cancelled, but another one is taken after a completion`() {
    let (first, second, third) = (ManualSubscription(), ManualSubscription(), ManualSubscription())
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.dropFirst(1).subscribe(recorder)
    source.send(subscription: first)
    source.send(subscription: second)
    source.send(completion: .finished)
    recorder.request(.max(5))
    source.send(subscription: third)
    #expect(first.calls == [.requested(.max(2))])
    #expect(second.calls == [.cancelled])
    #expect(third.calls == [.requested(.max(6))])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `A sink below it may cancel while it receives a value from before the subscription`() {
    var cancellable: AnyCancellable?
    var count = 0
    cancellable = source.dropFirst(0).sink(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        cancellable?.cancel()
        cancellable = nil
        count += 1
      })
    source.send(1)
    source.send(2)
    #expect(count == 1)
  }
}
