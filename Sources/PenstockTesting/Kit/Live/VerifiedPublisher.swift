// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes everything unchanged, and reports each step by which upstream or downstream breaks a rule.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .verified("numbers")
  ///   .sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// It repairs nothing, so it hides nothing. It passes each finding to the handler of ``StreamViolation``, with the
  /// rule, the side that broke it, the last calls, and this line of the source.
  ///
  /// A release build does not check: the subscriber is attached directly to upstream, unless the check is forced.
  ///
  /// **Demand:** unchanged.
  ///
  /// **Completion:** unchanged.
  ///
  /// **Failure:** unchanged.
  ///
  /// **Concurrency:** as upstream. Calls are noted under a lock, which is not held while they are passed on.
  ///
  /// - Parameters:
  ///   - name: A name for the stream, for reports.
  ///   - isForced: Whether to verify in a release build, too.
  ///   - file: The file that reports name.
  ///   - line: The line that reports name.
  public func verified(
    _ name: String = "", isForced: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) -> VerifiedPublisher<Self> {
    VerifiedPublisher(upstream: self, name: name, isForced: isForced, file: file, line: line)
  }
}

/// A publisher that republishes the events of another one, and reports the rules that are broken.
///
/// **Demand:** passed to upstream.
///
/// **Completion:** that of upstream.
///
/// **Failure:** that of upstream.
///
/// **Concurrency:** as upstream.
public struct VerifiedPublisher<Upstream: Publisher>: Publisher {
  /// The type of the values.
  public typealias Output = Upstream.Output

  /// The type of the failure.
  public typealias Failure = Upstream.Failure

  /// The publisher that is verified.
  public let upstream: Upstream

  private static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  let name: String
  let isForced: Bool
  let file: StaticString
  let line: UInt

  /// Attaches a subscriber to upstream, through a verification or, in a release build, directly.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    guard isForced || Self.isDebugBuild else { return upstream.subscribe(subscriber) }
    upstream.subscribe(
      VerifiedSubscriber(downstream: subscriber, watch: StreamWatch(name: name, file: file, line: line)))
  }
}

extension VerifiedPublisher: Sendable where Upstream: Sendable {}

/// Passes on what upstream sends, and lets the watch judge it.
private struct VerifiedSubscriber<Downstream: Subscriber>: Subscriber {
  let downstream: Downstream
  let watch: StreamWatch

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) {
    let isEmpty = subscription.combineIdentifier == Subscriptions.empty.combineIdentifier
    watch.signal(.subscription(String(describing: subscription)), isEmpty: isEmpty) {
      downstream.receive(subscription: VerifiedSubscription(upstream: subscription, watch: watch))
    }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let more = watch.signal(.value(String(describing: input))) { downstream.receive(input) }
    watch.returned(more)
    return more
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    var kind = StreamEvent.Kind.finished
    if case .failure(let error) = completion { kind = .failed(String(describing: error)) }
    watch.signal(kind) { downstream.receive(completion: completion) }
  }
}

/// Passes on what downstream requests, and lets the watch judge it.
private struct VerifiedSubscription: Subscription, CustomStringConvertible {
  let upstream: any Subscription
  let watch: StreamWatch

  var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }
  var description: String { String(describing: upstream) }

  func request(_ demand: Subscribers.Demand) {
    watch.request(demand)
    upstream.request(demand)
  }

  func cancel() {
    watch.cancel { upstream.cancel() }
  }
}
