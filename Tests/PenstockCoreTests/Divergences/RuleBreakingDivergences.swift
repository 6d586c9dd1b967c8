// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between Penstock's operators and Combine's in handling a publisher that breaks the rules.
///
/// The operators that are tested here drop signals after a cancel or an end, and count a completion once, because
/// their own subscribers rely on the rules. Combine's deliver some of it, or stop the process, each in its own way.
@Suite struct RuleBreakingDivergences {
  typealias Source = ManualPublisher<Int, TestError>

  enum Kind: String, CaseIterable, Sendable {
    case `catch`, tryCatch, flatMap, switchToLatest

    /// Subscribes, and makes upstream send the signal that makes the operator subscribe to `inner`.
    func attach(_ recorder: Recorder<Int, any Error>, to upstream: Source, _ inner: Source) {
      switch self {
      case .catch: upstream.catch { _ in inner }.mapError { $0 as any Error }.subscribe(recorder)
      case .tryCatch: upstream.tryCatch { _ in inner }.subscribe(recorder)
      case .flatMap: upstream.flatMap { _ in inner }.mapError { $0 as any Error }.subscribe(recorder)
      case .switchToLatest:
        upstream.map { _ in inner }.switchToLatest().mapError { $0 as any Error }.subscribe(recorder)
      }
      switch self {
      case .catch, .tryCatch: upstream.send(completion: .failure(.oops))
      case .flatMap, .switchToLatest: upstream.send(0)
      }
    }
  }

  @Test(arguments: Kind.allCases, ["cancel", "finish", "fail"])
  func `A value that a publisher sends after its cancel or its end is dropped`(_ kind: Kind, _ end: String) {
    let (upstream, inner) = (Source(), Source())
    let recorder = Recorder<Int, any Error>()
    kind.attach(recorder, to: upstream, inner)
    inner.send(1)
    switch end {
    case "cancel": recorder.cancel()
    case "finish": inner.send(completion: .finished)
    default: inner.send(completion: .failure(.oops))
    }
    inner.send(2)
    #expect(recorder.values == [1])
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: Kind.allCases, [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A value that upstream sends after its end is dropped`(
    _ kind: Kind, _ end: Subscribers.Completion<TestError>
  ) {
    let (upstream, inner) = (Source(), Source())
    let recorder = Recorder<Int, any Error>()
    kind.attach(recorder, to: upstream, inner)
    // The upstream of catch has failed already, and the replacement is running.
    if kind == .flatMap || kind == .switchToLatest { upstream.send(completion: end) }
    upstream.send(2)
    #expect(recorder.values.isEmpty)
    #expect(inner.subscribers.count == 1)
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: ["dropFirst", "drop until"])
  func `A second subscription of dropFirst and drop until is cancelled`(_ name: String) {
    let (source, trigger) = (Source(subscription: nil), Source())
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    if name == "dropFirst" {
      source.dropFirst(1).subscribe(recorder)
    } else {
      source.drop(untilOutputFrom: trigger).subscribe(recorder)
    }
    let (first, second) = (ManualSubscription(), ManualSubscription())
    source.send(subscription: first)
    source.send(subscription: second)
    #expect(first.cancellations == 0)
    #expect(second.calls == [.cancelled])
    recorder.request(.max(1))
    #expect(first.requests.last == .max(1))
    #expect(recorder.subscriptions.count == 1)
  }

  /// An operator downstream of a publisher that delivers before it has sent a subscription.
  enum Early: String, CaseIterable, Sendable {
    case dropUntil, prefixUntil, retry, switchToLatest

    func attach(_ recorder: Recorder<Int, TestError>, to source: Source) {
      switch self {
      case .dropUntil: source.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self)).subscribe(recorder)
      case .prefixUntil: source.prefix(untilOutputFrom: Source()).subscribe(recorder)
      case .retry: source.retry(1).subscribe(recorder)
      case .switchToLatest:
        source.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest().subscribe(recorder)
      }
    }
  }

  @Test(arguments: Early.allCases)
  func `An end before the subscription is the end, except below prefix until`(_ operation: Early) {
    let source = Source(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    operation.attach(recorder, to: source)
    source.send(completion: .finished)
    let late = ManualSubscription()
    source.send(subscription: late)
    #expect(recorder.isFinished == (operation != .prefixUntil))
    #expect(late.cancellations == (operation == .prefixUntil ? 0 : 1))
    source.send(7)
    #expect(recorder.values == (operation == .prefixUntil ? [7] : []))
  }

  @Test(arguments: Early.allCases.filter { $0 != .retry })
  func `A value before the subscription counts where a subscription has been handed on`(_ operation: Early) {
    let source = Source(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    operation.attach(recorder, to: source)
    source.send(7)
    #expect(recorder.values == (operation == .prefixUntil ? [] : [7]))
    #expect(recorder.subscriptions.count == (operation == .prefixUntil ? 0 : 1))
  }

  /// A publisher that follows another one, or that a value has been turned into.
  enum Later: String, CaseIterable, Sendable {
    case retry, `catch`, tryCatch, flatMap, oneAtATime, switchToLatest, append

    func attach(_ recorder: Recorder<Int, any Error>, to upstream: Source, _ inner: Source) {
      switch self {
      case .retry:
        var isFirst = true
        Deferred {
          defer { isFirst = false }
          return isFirst ? upstream : inner
        }.retry(1).mapError { $0 as any Error }.subscribe(recorder)
      case .catch: RuleBreakingDivergences.Kind.catch.attach(recorder, to: upstream, inner)
      case .tryCatch: RuleBreakingDivergences.Kind.tryCatch.attach(recorder, to: upstream, inner)
      case .flatMap: RuleBreakingDivergences.Kind.flatMap.attach(recorder, to: upstream, inner)
      case .switchToLatest: RuleBreakingDivergences.Kind.switchToLatest.attach(recorder, to: upstream, inner)
      case .oneAtATime:
        upstream.flatMap(maxPublishers: .max(1)) { _ in inner }.mapError { $0 as any Error }.subscribe(recorder)
        upstream.send(0)
      case .append:
        upstream.append(inner).mapError { $0 as any Error }.subscribe(recorder)
        upstream.send(completion: .finished)
      }
      if self == .retry { upstream.send(completion: .failure(.oops)) }
    }

    /// The demand that is returned for the value, and the demand that is requested when the subscription arrives: of
    /// three, one is used up, and two are returned.
    var answers: (value: Subscribers.Demand, subscription: Subscribers.Demand) {
      switch self {
      case .retry, .catch, .tryCatch: (.none, .max(4))
      case .switchToLatest: (.max(2), .max(4))
      case .flatMap, .oneAtATime: (.max(1), .max(1))
      case .append: (.none, .max(3))
      }
    }
  }

  @Test(arguments: Later.allCases)
  func `A value before the subscription of a later publisher is delivered, and its answer counts`(_ later: Later) {
    let (upstream, inner) = (Source(), Source(subscription: nil))
    let recorder = Recorder<Int, any Error>(demand: .max(3))
    recorder.onValue = { $0 == 7 ? .max(2) : .none }
    later.attach(recorder, to: upstream, inner)
    let (values, answers) = (later == .append ? [] : [7], later.answers)
    #expect(inner.send(7) == answers.value)
    #expect(recorder.values == values)
    let subscription = ManualSubscription()
    inner.send(subscription: subscription)
    #expect(subscription.calls == [.requested(answers.subscription)])
    inner.send(8)
    inner.send(completion: .finished)
    #expect(recorder.values == values + [8])
    #expect(recorder.subscriptions.count == 1 && recorder.complaints.isEmpty)
  }

  @Test(arguments: Later.allCases.filter { $0 != .append })
  func `After a cancel and after the end a value before the subscription is dropped`(_ later: Later) {
    for end in ["cancel", "fail"] {
      let (upstream, inner) = (Source(), Source(subscription: nil))
      let recorder = Recorder<Int, any Error>()
      later.attach(recorder, to: upstream, inner)
      if end == "cancel" {
        recorder.cancel()
      } else if later == .flatMap || later == .oneAtATime || later == .switchToLatest {
        upstream.send(completion: .failure(.oops))
      } else {
        inner.send(completion: .failure(.oops))
      }
      inner.send(7)
      #expect(recorder.values.isEmpty, "\(end)")
      let late = ManualSubscription()
      inner.send(subscription: late)
      #expect(late.calls == [.cancelled], "\(end)")
      #expect(recorder.completions.count == (end == "cancel" ? 0 : 1), "\(end)")
    }
  }

  /// Otherwise nothing would end the stream.
  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `An end of the replacement before its subscription is the end`(_ end: Subscribers.Completion<TestError>) {
    let (upstream, replacement) = (Source(), Source(subscription: nil))
    let recorder = Recorder<Int, TestError>()
    upstream.catch { _ in replacement }.subscribe(recorder)
    upstream.send(completion: .failure(.oops))
    replacement.send(completion: end)
    replacement.send(completion: end)
    replacement.send(1)
    let late = ManualSubscription()
    replacement.send(subscription: late)
    #expect(recorder.events == [.subscription("Catch"), .completion(end)])
    #expect(late.calls == [.cancelled])
  }

  @Test func `A value before the subscription waits for the delivery that its forerunner has ended in`() {
    for later in [Later.retry, .catch, .tryCatch] {
      let (upstream, inner) = (Source(), UncheckedBox(Source(subscription: nil)))
      let recorder = Recorder<Int, any Error>(demand: .max(9))
      recorder.onValue = { value in
        guard value == 1 else { return .none }
        upstream.send(completion: .failure(.oops))
        elsewhere { inner.value.send(2) }
        #expect(recorder.values == [1])
        inner.value.send(3)
        #expect(recorder.values == [1])
        return .max(1)
      }
      switch later {
      case .catch: upstream.catch { _ in inner.value }.mapError { $0 as any Error }.subscribe(recorder)
      case .tryCatch: upstream.tryCatch { _ in inner.value }.subscribe(recorder)
      default:
        var isFirst = true
        Deferred {
          defer { isFirst = false }
          return isFirst ? upstream : inner.value
        }.retry(1).mapError { $0 as any Error }.subscribe(recorder)
      }
      upstream.send(1)
      #expect(recorder.values == [1, 2, 3])
      let subscription = ManualSubscription()
      inner.value.send(subscription: subscription)
      #expect(subscription.calls == [.requested(.max(7))])
    }
  }

  @Test func `Three completions of one publisher of a merge count once`() {
    let (source, other) = (Source(), Source())
    let recorder = Recorder<Int, TestError>()
    source.merge(with: other).subscribe(recorder)
    for _ in 0..<3 { source.send(completion: .finished) }
    #expect(recorder.completions.isEmpty)
    other.send(1)
    other.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  @Test func `Six completions of one inner publisher of flatMap count once`() {
    let (upstream, inner, other) = (Source(), Source(), Source())
    let recorder = Recorder<Int, TestError>()
    upstream.flatMap(maxPublishers: .max(2)) { $0 == 0 ? inner : other }.subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    for _ in 0..<6 { inner.send(completion: .finished) }
    #expect(upstream.calls == [.requested(.max(2)), .requested(.max(1))])
    upstream.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    other.send(1)
    other.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }
}
