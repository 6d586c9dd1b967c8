// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between what Penstock's operators and Combine's make of a publisher that breaks the rules.
///
/// The operators that are tested here drop what comes after a cancel or an end, and count a completion once, because
/// their own subscribers rely on the rules. Combine's deliver some of it, or stop the process, each in its own way.
@Suite struct RuleBreakingDivergences {
  typealias Source = ManualPublisher<Int, TestError>

  enum Kind: String, CaseIterable, Sendable {
    case `catch`, tryCatch, flatMap, switchToLatest

    /// Subscribes, and makes upstream send what the operator subscribes to `inner` for.
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
    // That of catch has failed already, and the replacement is running.
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

  /// An operator above a publisher that delivers before it has given a subscription.
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
