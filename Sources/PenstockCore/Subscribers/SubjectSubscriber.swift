// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

extension Publisher {
  /// Sends the values and the completion of this publisher into a subject.
  ///
  /// **Demand:** the subject decides: a ``CurrentValueSubject`` requests unlimited values at once, a
  /// ``PassthroughSubject`` once any of its own subscribers has requested a value.
  ///
  /// **Completion:** sent into the subject.
  ///
  /// **Failure:** sent into the subject.
  ///
  /// **Concurrency:** sends on the thread on which this publisher delivers.
  ///
  /// The subscription does not keep the subject alive.
  ///
  /// Use ``multicast(subject:)`` to attach subscribers first and connect later, and ``share()`` if no subject is
  /// needed.
  ///
  /// - Parameter subject: The subject to send into.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated. Neither completes the
  ///   subject. A cancel before the subscription has arrived is remembered; Combine forgets it.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// The subscriber that sends into a subject, without keeping the subject alive.
///
/// For the library's subjects it keeps the fan-out, which may outlive the subject, and whose members keep the subject
/// alive. Only a foreign subject is referenced weakly: reading a weak reference takes longer than sending a value, and
/// an object with weak references also counts its strong references more slowly.
///
/// A cancel before the subscription is remembered: an upstream that is delivering on another thread may deliver its
/// subscription later.
@usableFromInline
internal final class SubjectSubscriber<Target: Subject>: _CancellableObject, EndSubscriber, Subscription {
  @usableFromInline internal let fanOut: FanOut<Target.Output, Target.Failure>?

  /// The subject, if it has no fan-out.
  ///
  /// A constant, so that values need no lock to read it.
  @usableFromInline internal let target: WeakReference<Target>
  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let finishMark = AtomicCell(false)
  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

  @_alwaysEmitIntoClient
  internal init(_ target: Target) {
    fanOut =
      (target as? PassthroughSubject<Target.Output, Target.Failure>)?.fanOut
      ?? (target as? CurrentValueSubject<Target.Output, Target.Failure>)?.fanOut
    self.target = WeakReference(fanOut == nil ? target : nil)
    super.init()
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    // A second subscription is neither stored nor cancelled, as in Combine; one after the end is cancelled.
    guard slot.phase != .active, slot.attach(subscription) else { return }
    if let fanOut {
      fanOut.upstream.add(member: self)
    } else if let keeper {
      keeper.add(upstream: self)
    } else {
      target.object?.send(subscription: self)
      return
    }
    // The subscription may have ended meanwhile, or been cancelled on another thread before it could be removed.
    if slot.phase == .terminal { leave() }
  }

  /// Whether upstream has ended on its own.
  @_alwaysEmitIntoClient
  internal var hasFinished: Bool { finishMark.load(ordering: .acquiring) }

  /// The subject, if it has no fan-out and releases a subscription that ends.
  private var keeper: (any UpstreamKeeper)? { target.object as? any UpstreamKeeper }

  /// Removes this subscription, which is over, from the subject.
  @usableFromInline
  internal func leave() {
    if let fanOut { fanOut.upstream.remove(member: self) } else { keeper?.remove(upstream: self) }
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Target.Output) -> Subscribers.Demand {
    guard slot.phase == .active else { return .none }
    if fanOut != nil {
      // Unretained, and not bound to a name, since this object holds it: its references would be counted for each value.
      Unmanaged.passUnretained(fanOut.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.forward(input) }
    } else {
      target.object?.send(input)
    }
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Target.Failure>) {
    guard slot.finish() else { return }
    finishMark.store(true, ordering: .releasing)
    leave()
    if let fanOut { fanOut.send(completion: completion) } else { target.object?.send(completion: completion) }
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  internal override func cancel() {
    if slot.cancel(early: true) { leave() }
  }
}

extension SubjectSubscriber: InspectableEnd {
  internal var linkNumber: UInt64 { enrolment.number }

  internal func show(in link: inout LinkState) {
    link.take(end: "Subject", slot)
    (link.isFeed, link.fedEngine) = (true, fanOut.map { ObjectIdentifier($0) })
  }
}

extension SubjectSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Subject" }

  @usableFromInline
  internal var customMirror: Mirror {
    let shown: AnyObject? = slot.phase == .terminal ? nil : (fanOut as AnyObject?) ?? target.object
    return Mirror(
      self,
      children: [
        "downstreamSubject": shown as Any, "upstreamSubscription": slot.current as Any, "subject": shown as Any,
      ], ancestorRepresentation: .suppressed)
  }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}
