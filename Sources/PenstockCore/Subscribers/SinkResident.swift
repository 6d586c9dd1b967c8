// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The closures of a `sink`, as a subscriber that its source's subscription keeps.
///
/// It reads that subscription's state before it calls a closure: since the source has delivered, a closure of an
/// operator between the two may have ended or cancelled the stream, and then nothing is delivered, as with any other
/// ``Subscribers/Sink``.
@usableFromInline
internal struct SinkResident<Input, Failure: Error>: EndSubscriber {
  /// The whole target, since parts of it would be copied.
  @usableFromInline internal let closures: SinkTarget<Input, Failure>
  /// The subscription that keeps this subscriber.
  @usableFromInline internal let subscription: Unmanaged<BaseSubscription>

  @_alwaysEmitIntoClient @inline(__always)
  internal init(_ closures: consuming SinkTarget<Input, Failure>, in subscription: Unmanaged<BaseSubscription>) {
    self.closures = closures
    self.subscription = subscription
  }

  @usableFromInline
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier() }

  @_alwaysEmitIntoClient @inline(__always)
  internal var closing: BaseSubscription.Closing {
    subscription._withUnsafeGuaranteedRef { $0.closing }
  }

  @_alwaysEmitIntoClient
  internal func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive(_ input: Input) -> Subscribers.Demand {
    if closing == .none { closures.receiveValue(input) }
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if closing != .cancelled { closures.receiveCompletion(completion) }
  }
}

extension SinkResident: CustomStringConvertible {
  @usableFromInline
  internal var description: String { "Sink" }
}
