// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber between a publisher and its subscriber while introspections are enabled.
///
/// It erases the subscriber's type, so that the type of a chain does not grow with each operator.
internal final class IntrospectionTap<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  internal let downstream: any Subscriber<Input, Failure>

  init(_ downstream: any Subscriber<Input, Failure>) {
    self.downstream = downstream
  }

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  var description: String { downstream.reflected(.description) as! String }

  func receive(subscription: any Subscription) {
    introspections.around(
      will: { $0.willReceive(subscriber: downstream, subscription: subscription) },
      did: { introspection, _ in introspection.didReceive(subscriber: downstream, subscription: subscription) }
    ) {
      downstream.receive(subscription: IntrospectionSubscription(subscription))
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    introspections.around(
      will: { $0.willReceive(subscriber: downstream, input: input) },
      did: { $0.didReceive(subscriber: downstream, input: input, resultingDemand: $1) }
    ) {
      downstream.receive(input)
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    introspections.around(
      will: { $0.willReceive(subscriber: downstream, completion: completion) },
      did: { introspection, _ in introspection.didReceive(subscriber: downstream, completion: completion) }
    ) {
      downstream.receive(completion: completion)
    }
  }
}

extension Subscriber {
  /// The tap that this subscriber is, possibly erased.
  internal var tap: IntrospectionTap<Input, Failure>? {
    if let erased = self as? AnySubscriber<Input, Failure> {
      return erased.erasure.underlying as? IntrospectionTap<Input, Failure>
    }
    return self as? IntrospectionTap<Input, Failure>
  }
}

/// The subscription that a subscriber downstream of a tap gets.
private final class IntrospectionSubscription: Subscription, CustomStringConvertible {
  fileprivate let reported: any Subscription

  init(_ reported: any Subscription) {
    self.reported = reported
  }

  var combineIdentifier: CombineIdentifier { reported.combineIdentifier }

  var description: String {
    (reported as? any CustomStringConvertible)?.description ?? String(describing: type(of: reported))
  }

  func request(_ demand: Subscribers.Demand) {
    introspections.around(
      will: { $0.willRequest(subscription: reported, demand) },
      did: { introspection, _ in introspection.didRequest(subscription: reported, demand) }
    ) {
      reported.request(demand)
    }
  }

  func cancel() {
    introspections.around(
      will: { $0.willCancel(subscription: reported) },
      did: { introspection, _ in introspection.didCancel(subscription: reported) }
    ) {
      reported.cancel()
    }
  }
}

extension Subscription {
  /// The subscription, or the original if this one reports to introspections, if it is one of the library's.
  package var untappedBase: BaseSubscription? { base ?? tapped?.untappedBase }

  /// The subscription for which this one reports to introspections.
  ///
  /// Equivalent to `as?`, without the run-time lookups of a dynamic cast.
  private var tapped: (any Subscription)? {
    guard Self.self == IntrospectionSubscription.self else { return nil }
    return withUnsafePointer(to: self) { UnsafeRawPointer($0).load(as: IntrospectionSubscription.self).reported }
  }
}

/// The attaching of a subscriber to a publisher with a tap between them.
///
/// Neither inlinable nor specialised: it is rarely used, and the type of a chain of taps would grow with every operator.
///
/// A static function of a class, since every pipeline calls it: the caller passes the publisher's type and conformance in one
/// word, where a generic function would be passed each, and the caller would have code to look up both.
@usableFromInline
internal final class Tapped<Upstream: Publisher> {
  @usableFromInline @inline(never)
  internal static func attach<S: Subscriber>(_ subscriber: S, to upstream: Upstream)
  where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
    // A publisher may pass on the subscriber that it received; a second tap would report every event twice.
    if let tap = subscriber.tap {
      report(tap.downstream, upstream) { upstream.receive(subscriber: tap) }
    } else {
      report(subscriber, upstream) { upstream.receive(subscriber: IntrospectionTap<S.Input, S.Failure>(subscriber)) }
    }
  }

  /// Reports the attaching of a subscriber.
  private static func report<S: Subscriber>(_ subscriber: S, _ upstream: Upstream, _ attach: () -> Void)
  where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
    introspections.around(
      will: { $0.willReceive(publisher: upstream, subscriber: subscriber) },
      did: { introspection, _ in introspection.didReceive(publisher: upstream, subscriber: subscriber) }, attach)
  }
}
