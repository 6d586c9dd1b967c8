// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Subscribes a target that resides with a ``SerialSubscription``, which this publisher makes and delivers before any
  /// upstream is subscribed to.
  ///
  /// Nobody else gets that subscription, so its loop tells when no delivery is running: the subscriber needs neither a state
  /// nor a lock for that.
  ///
  /// A function of its own, as ``SinkTarget/_subscribe(to:)`` is.
  @inlinable @inline(never)
  internal func lodge<Target: _FusionTarget>(_ target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    let box = ResidentBox(target._makeResident())
    receive(subscriber: BoxedResident(box))
    return Target._answer(box.takeSubscription())
  }
}

/// A resident in an object, which the operator above it frees when no delivery is running any more.
@usableFromInline
internal final class ResidentBox<Resident: Subscriber>: QuiescenceObserver {
  @usableFromInline internal let resident: Resident
  /// The operator's subscription, until it has been returned.
  @exclusivity(unchecked) @usableFromInline internal var subscription: SerialSubscription?

  @inlinable
  internal init(_ resident: __owned Resident) { self.resident = resident }

  @inlinable
  internal func takeSubscription() -> SerialSubscription {
    exchange(&subscription, with: nil).unsafelyUnwrapped
  }

  /// The operator has let go of the box: that is all.
  @usableFromInline
  internal func deliveriesEnded() {}
}

/// The subscriber of a ``ResidentBox``, unretained.
@usableFromInline
internal struct BoxedResident<Resident: Subscriber>: Subscriber {
  @usableFromInline internal typealias Input = Resident.Input
  @usableFromInline internal typealias Failure = Resident.Failure

  @usableFromInline internal let box: Unmanaged<ResidentBox<Resident>>

  @inlinable
  internal init(_ box: ResidentBox<Resident>) { self.box = .passUnretained(box) }

  @usableFromInline
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(box.takeUnretainedValue()) }

  @inlinable @inline(__always)
  internal var _isSynchronous: Bool { true }

  @inlinable @inline(__always)
  internal static var _place: _SubscriberPlace { Resident._place }

  @inlinable
  internal func receive(subscription: any Subscription) {
    let serial = unsafeDowncast(subscription.base.unsafelyUnwrapped, to: SerialSubscription.self)
    box._withUnsafeGuaranteedRef {
      serial.keep($0)
      $0.subscription = serial
    }
    serial.request(.unlimited)
  }

  @inlinable @inline(__always)
  internal func receive(_ input: Input) -> Subscribers.Demand {
    box._withUnsafeGuaranteedRef { $0.resident.receive(input) }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    box._withUnsafeGuaranteedRef { $0.resident.receive(completion: completion) }
  }
}
