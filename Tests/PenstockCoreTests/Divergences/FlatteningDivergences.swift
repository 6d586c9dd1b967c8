// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between operators that deliver from several publishers in turn and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct FlatteningDivergences {
  typealias Source = ManualPublisher<Int, TestError>

  private let source = Source()
  private let other = Source()

  /// Combine leaves upstream subscribed, which keeps the whole stream in memory until upstream ends.
  @Test func `A stream of flatMap that fails cancels upstream`() {
    let recorder = Recorder<Int, TestError>()
    source.flatMap { [other] _ in other }.subscribe(recorder)
    source.send(0)
    other.send(completion: .failure(.oops))
    #expect(source.calls == [.requested(.unlimited), .cancelled])
    #expect(recorder.completions == [.failure(.oops)])
  }

  /// Combine may deliver values of other streams after the failure.
  @Test func `No value follows a failure of flatMap`() {
    let recorder = Recorder<Int, TestError>()
    let late = Source()
    source.flatMap { [other] in $0 == 0 ? other : late }.subscribe(recorder)
    source.send(0)
    source.send(1)
    other.send(completion: .failure(.oops))
    late.send(1)
    #expect(recorder.values.isEmpty)
  }

  /// Combine requests after each value, in the middle of its loop; an inner publisher that delivers at once then
  /// overtakes waiting values, and other threads are kept out until its last value.
  @Test func `A request delivers all it can before flatMap asks for more`() {
    var log: [String] = []
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { value in
      log.append("value \(value)")
      return .none
    }
    source.flatMap { [other] _ in other }.subscribe(recorder)
    source.send(0)
    other.send(1)
    other.send(2)
    other.subscription?.onRequest = { _ in log.append("ask") }
    recorder.request(.max(2))
    #expect(log == ["value 1", "value 2", "ask", "ask"])
  }

  /// Combine forwards all of them, but a stream has one completion.
  @Test func `A repeated completion of switchToLatest's upstream is ignored`() {
    let upstream = ManualPublisher<Source, TestError>()
    let recorder = Recorder<Int, TestError>()
    upstream.switchToLatest().subscribe(recorder)
    upstream.send(completion: .finished)
    upstream.send(completion: .failure(.oops))
    #expect(recorder.completions == [.finished])
  }

  /// Combine loses the demand: it returns it to an inner publisher that it no longer uses, and the new one does not get
  /// it.
  @Test func `What a value is answered with reaches a stream that came meanwhile`() {
    let upstream = ManualPublisher<Source, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { [other] _ in
      upstream.send(other)
      return .max(3)
    }
    upstream.switchToLatest().subscribe(recorder)
    upstream.send(source)
    source.send(1)
    #expect(other.subscription?.requests == [.max(3)])
  }

  /// Combine requests from the new inner publisher during the delivery.
  @Test
  func `What a subject sends before the delivery that switched to it has returned is lost, and a buffer keeps it`() {
    for isBuffered in [false, true] {
      let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      var values: [Int] = []
      let cancellable = outer.switchToLatest().sink {
        values.append($0)
        if $0 != 1 { return }
        let next = second.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        outer.send(isBuffered ? next.eraseToAnyPublisher() : second.eraseToAnyPublisher())
        second.send(2)
      }
      outer.send(first.eraseToAnyPublisher())
      first.send(1)
      second.send(3)
      #expect(values == (isBuffered ? [1, 2, 3] : [1, 3]))
      withExtendedLifetime(cancellable) {}
    }
  }

  /// Combine accepts it, and delivers its values after the failure.
  @Test func `A stream whose subscription comes after a failure of switchToLatest's upstream is cancelled`() {
    let upstream = ManualPublisher<Source, TestError>()
    let late = Source(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    upstream.switchToLatest().subscribe(recorder)
    upstream.send(late)
    upstream.send(completion: .failure(.oops))
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
    late.send(1)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .completion(.failure(.oops))])
  }

  /// Combine's are of one type, which is private as well.
  @Test func `The subscriber of switchToLatest is of another type than its subscription`() {
    let upstream = KeepingPublisher<Source, TestError>()
    let recorder = Recorder<Int, TestError>()
    upstream.switchToLatest().subscribe(recorder)
    let (subscriber, subscription) = (upstream.subscriber as Any, recorder.subscriptions[0] as Any)
    #expect(type(of: subscriber) != type(of: subscription))
    #expect(upstream.subscriber.map { "\($0)" } == "\(subscription)")
    #expect(upstream.subscriber?.combineIdentifier == recorder.subscriptions[0].combineIdentifier)
  }

  /// Combine stops the process there.
  @Test func `A value of flatMap may bring about another stream, and that one's value a request`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { value in
      if value < 5 {
        subject.send(value + 1)
        recorder.request(.max(1))
      }
      return .none
    }
    subject.flatMap { value in Result<Int, TestError>.success(value).publisher }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  /// Combine delivers `.finished` to a subscriber that has no subscription.
  @Test func `A trigger that fires before upstream begins is preceded by a subscription`() {
    let recorder = Recorder<Int, TestError>()
    source.prefix(untilOutputFrom: Just(1)).subscribe(recorder)
    #expect(recorder.events == [.subscription("PrefixUntilOutput"), .completion(.finished)])
    #expect(source.calls == [.cancelled])
  }

  /// Combine's show the mangled name of a private type.
  @Test func `The subscription of prefix until shows a name`() {
    let recorder = Recorder<Int, TestError>()
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("PrefixUntilOutput"))
    #expect(Shown(of: source.subscribers[0]) == Shown("PrefixUntilOutput"))
    #expect(Shown(of: other.subscribers[0]) == Shown("PrefixUntilOutput"))
  }

  /// Combine leaves it subscribed, which keeps the stream in memory until the trigger ends.
  @Test func `A trigger is cancelled when the stream is over`() {
    source.prefix(untilOutputFrom: other).subscribe(Recorder<Int, TestError>())
    other.send(1)
    #expect(other.calls == [.requested(.max(1)), .cancelled])
    let (upstream, trigger) = (Source(), Source())
    upstream.drop(untilOutputFrom: trigger).subscribe(Recorder<Int, TestError>())
    upstream.send(completion: .finished)
    #expect(trigger.calls == [.requested(.max(1)), .cancelled])
  }

  /// Combine sends one for each side.
  @Test func `Two ends of drop until make one completion`() {
    let recorder = Recorder<Int, TestError>()
    source.drop(untilOutputFrom: other).subscribe(recorder)
    other.send(completion: .finished)
    source.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  /// Combine continues with a stream that has completed.
  @Test func `A trigger of drop until that ends at once leaves upstream cancelled`() {
    let recorder = Recorder<Int, TestError>()
    source.drop(untilOutputFrom: Empty<Int, TestError>()).subscribe(recorder)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
    #expect(source.calls == [.cancelled])
  }

  /// Combine continues to count, and traps when they exceed the demand.
  @Test func `Values after a cancel of drop until are ignored`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.drop(untilOutputFrom: other).subscribe(recorder)
    recorder.cancel()
    source.send(1)
    source.send(2)
    #expect(recorder.values.isEmpty)
  }
}
