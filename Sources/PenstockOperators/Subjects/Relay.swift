// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that delivers the values it is given, and never completes.
///
/// A relay is a subject without `send(completion:)`: its subscribers can rely on it for as long as it lives, whatever
/// feeds it.
///
/// **Demand:** counted for each subscriber; the relay decides what happens to a value that has not been requested.
///
/// **Completion:** never.
///
/// **Failure:** none; a relay cannot fail.
///
/// **Concurrency:** any thread may call `accept(_:)`.
public protocol Relay<Output>: AnyObject, Publisher where Failure == Never {
  /// Delivers a value to the subscribers.
  ///
  /// - Parameter value: The value to deliver.
  func accept(_ value: Output)
}

extension Relay where Output == Void {
  /// Delivers a value to the subscribers.
  @_alwaysEmitIntoClient
  public func accept() { accept(()) }
}

extension Publisher where Failure == Never {
  /// Feeds the values of this publisher into a relay, and leaves the relay open at the end.
  ///
  /// ```swift
  /// let relay = PassthroughRelay<Int>()
  /// let cancellable = relay.sink { print($0) }
  /// let first = [1, 2].publisher.subscribe(relay)
  /// let second = Just(3).subscribe(relay)
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** as for a subject: a ``PassthroughRelay`` requests unlimited values once any of its own subscribers has
  /// requested a value, every other relay at once.
  ///
  /// **Completion:** ends the subscription, not the relay.
  ///
  /// **Failure:** none; if the publisher can fail, put `catch` or `replaceError(with:)` before it.
  ///
  /// **Concurrency:** the relay accepts on the thread on which this publisher delivers. Until the end or a cancel, the
  /// subscription keeps the relay alive.
  ///
  /// Use `subscribe(_:)` with a subject to pass the completion on, too.
  ///
  /// - Parameter relay: The relay to feed.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func subscribe<R: Relay>(_ relay: R) -> AnyCancellable where R.Output == Output {
    guard let relay = relay as? PassthroughRelay<Output> else { return sink { relay.accept($0) } }
    let subscriber = RelaySubscriber(relay)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// The subscriber that feeds a relay that keeps no value: it lets values wait upstream until they are wanted.
///
/// Until the end, it and the relay keep each other alive. A cancel before the subscription arrives is remembered.
@usableFromInline
internal final class RelaySubscriber<Input>: Subscriber, Subscription {
  @usableFromInline internal typealias Failure = Never

  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()
  @usableFromInline internal let fanOut: FanOut<Input, Never>
  /// The relay, until the end.
  private let relay: Guarded<PassthroughRelay<Input>?>
  @usableFromInline internal let slot = SubscriptionSlot()

  @usableFromInline
  internal init(_ relay: PassthroughRelay<Input>) {
    fanOut = relay.fanOut
    self.relay = Guarded(relay)
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    relay.withLock { $0 }?.upstream.add(member: self)
    // The subscription may have ended during that, or been cancelled on another thread before it could be removed.
    if slot.phase == .terminal { leave() }
  }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    if slot.phase == .active { fanOut.send(input) }
    return .none
  }

  @usableFromInline
  internal func receive(completion: Subscribers.Completion<Never>) {
    if slot.finish() { leave() }
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) { slot.request(demand) }

  @usableFromInline
  internal func cancel() {
    if slot.cancel(early: true) { leave() }
  }

  /// Releases the relay, and is released by it.
  private func leave() {
    relay.withLock { $0.take() }?.upstream.remove(member: self)
  }
}

extension RelaySubscriber: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Relay" }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}

extension RelaySubscriber: InspectableEnd {
  internal var linkNumber: UInt64 { enrolment.number }

  internal func show(in link: inout LinkState) {
    link.take(end: "Relay", slot)
    link.isFeed = true
  }
}
