// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of any type on its way into the memory of a subscription, for code that is not compiled for its type.
///
/// It refers to memory of its maker, and is valid until the call to which it is passed returns. An
/// ``EmbeddingSubscription`` stores a copy of the subscriber in place of the port, so a value takes no call more than if
/// the type were known; other publishers get a ``PortedSubscriber``.
@usableFromInline
package struct Port<Input, Failure: Error>: Subscriber {
  @usableFromInline internal let subscriber: UnsafeRawPointer
  @usableFromInline internal let calls: SubscriberCalls
  @usableFromInline internal let copy: (UnsafeRawPointer, inout EmbeddedValue) -> Void
  /// Where the subscriber stands in its chain; that of the port is always the same, since nobody knows its type.
  @usableFromInline internal let place: _SubscriberPlace

  @inlinable @inline(__always)
  internal init<S: Subscriber>(_ subscriber: UnsafePointer<S>) where S.Input == Input, S.Failure == Failure {
    self.subscriber = UnsafeRawPointer(subscriber)
    calls = SubscriberCalls(of: S.self)
    copy = { $1.put($0.assumingMemoryBound(to: S.self).pointee) }
    place = S._place
  }

  // A port is stored, and never called.

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier() }

  @usableFromInline
  package func receive(subscription: any Subscription) { trap(.brokenInvariant("a port is stored, and never called")) }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    trap(.brokenInvariant("a port is stored, and never called"))
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    trap(.brokenInvariant("a port is stored, and never called"))
  }
}

extension Subscriber {
  /// The port that this subscriber is, if it is one.
  @inlinable @inline(__always)
  internal var port: Port<Input, Failure>? {
    Self.self == Port<Input, Failure>.self ? unsafeBitCast(self, to: Port<Input, Failure>.self) : nil
  }
}

/// A publisher that stores its subscriber in a subscription, and does nothing else with it: so it takes a ``Port``.
@usableFromInline
package protocol PortedPublisher: Publisher {}

/// A subscriber from a port, for publishers that know it by a type: it is erased, by the calls that the port brings along.
@usableFromInline
internal final class PortedSubscriber: ErasedSubscriber {
  private let calls: SubscriberCalls
  @exclusivity(unchecked) private var subscriber = EmbeddedValue()

  @usableFromInline
  internal init<Input, Failure: Error>(_ port: Port<Input, Failure>) {
    calls = port.calls
    port.copy(port.subscriber, &subscriber)
    super.init(
      value: { box, input in
        let box = unsafeDowncast(box, to: PortedSubscriber.self)
        return box.subscriber.withMemory { box.calls.value($0, input) }
      },
      other: { box, call, argument in unsafeDowncast(box, to: PortedSubscriber.self).perform(call, argument) })
    if port.place.isUnreported { enrolment.begin(self) }
  }

  deinit { call(.end, nil) }

  private func perform(_ call: OtherCall, _ argument: UnsafeMutableRawPointer) {
    switch call {
    case .subscription: self.call(.subscription, argument)
    case .completion: self.call(.completion, argument)
    case .property:
      let query = argument.assumingMemoryBound(to: Query.self)
      query.pointee.answer = answer(query.pointee.property)
    }
  }

  private func answer(_ property: Property) -> Any {
    if case .passed = property { return SubscriberCalls.passedLinks(calls.other) }
    var subscriber: Any?
    withUnsafeMutablePointer(to: &subscriber) { call(.subscriber, $0) }
    // The library cannot see from the type that this is a subscriber, but it is one.
    return (subscriber as! any Subscriber).reflected(property)
  }

  private func call(_ call: SubscriberCalls.OtherCall, _ argument: UnsafeMutableRawPointer?) {
    subscriber.withMemory { calls.other($0, call, argument ?? $0) }
  }
}
