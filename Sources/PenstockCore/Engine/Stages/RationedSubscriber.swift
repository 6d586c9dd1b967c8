// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A stage that decides how much of downstream's demand is requested from upstream, and when; ``RationedSubscriber`` is
/// the rest.
///
/// A stage is a final class with a lock of its own, since requests, values and timers call it on different threads.
@usableFromInline
package protocol RationingStage: AnyObject {
  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Decides what to request from upstream: downstream may want more, or a value at the mark has arrived.
  ///
  /// - Returns: The demand that the caller has to request.
  func ration(at link: RationedSubscription) -> Subscribers.Demand

  /// Called when the stream is over.
  func end()
}

extension RationingStage {
  @_alwaysEmitIntoClient
  package func end() {}
}

/// The shape of operators that deliver each value as it arrives, and pass downstream's demand on in parts.
///
/// Nothing is kept, so that values need no lock and no loop: upstream delivers serially.
@usableFromInline
package final class RationedSubscriber<Work: RationingStage, Input, Failure: Error>: RationedSubscription, Subscriber {
  @usableFromInline internal let stage: Work

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(name: Work.name, perform: RationedSubscriber.makePerform(), downstream: downstream)
  }

  /// Not forced inline: inlined into `receive(subscriber:)`, such closures have crashed the compiler in release builds.
  @_alwaysEmitIntoClient
  internal static func makePerform() -> (RationedSubscription, Call) -> Subscribers.Demand {
    { subscription, call in
      let subscriber = unsafeDowncast(subscription, to: RationedSubscriber.self)
      switch call {
      case .ration: return subscriber.stage.ration(at: subscriber)
      case .end:
        subscriber.stage.end()
        return .none
      }
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) { introduce(subscription) }

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isOutermost = deliveries.enter("upstream's deliveries")
    defer { deliveries.leave(isOutermost) }
    guard slot.phase == .active else { return .none }
    // Counted before it is delivered, so that a request that its delivery makes finds it delivered.
    let count = arrived.load(ordering: .relaxed) &+ 1
    arrived.store(count, ordering: .relaxed)
    var demand = count >= mark.load(ordering: .relaxed) ? stage.ration(at: self) : .none
    let more = deliver(value: input)
    if more != .none, wanted.add(more) != nil { demand += stage.ration(at: self) }
    return demand
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    if finish() { deliver(ending: completion) }
  }
}

extension Publisher {
  /// Returns a publisher of the same values, with a stage that rations the demand.
  ///
  /// - Parameter makeStage: A closure that creates the stage of one subscription.
  @inlinable
  package func rationed<Work: RationingStage>(
    by makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(RationedPublisher(upstream: self, makeStage: makeStage))
  }
}

/// A publisher that rations the demand on its upstream.
@usableFromInline
internal struct RationedPublisher<Upstream: Publisher, Work: RationingStage>: PortedPublisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeStage: () -> Work

  @_alwaysEmitIntoClient
  internal init(upstream: Upstream, makeStage: @escaping () -> Work) {
    self.upstream = upstream
    self.makeStage = makeStage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(
      RationedSubscriber<Work, Output, Failure>(makeStage(), to: subscriber), upstreamOf: S.self)
  }
}
