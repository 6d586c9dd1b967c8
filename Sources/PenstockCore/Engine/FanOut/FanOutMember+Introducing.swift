// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The introduction of a member: how it gets its subscription, on the thread that subscribes.
extension FanOutMember {
  /// Delivers the subscription to the subscriber.
  ///
  /// Called by the owner of the loop.
  @usableFromInline
  package func start(on thread: UInt) {
    starter.store(thread, ordering: .relaxed)
    if hasSubscriber { deliver(subscription: self) }
    starter.store(0, ordering: .relaxed)
  }

  /// Whether the calling thread owns the loop and is delivering the subscription.
  @_alwaysEmitIntoClient
  package func isStarting(on thread: UInt) -> Bool { starter.load(ordering: .relaxed) == thread }

  /// Sets the introduction, before another thread knows the subscriber.
  @usableFromInline
  package func prepare(_ introduction: Introduction) {
    self.introduction = introduction
    withReferences { if $0.source != nil { $0.introduction = introduction } }
  }

  /// Introduces the subscriber on a thread that does not own the loop, or that has to wait for queued signals.
  @usableFromInline
  package func start(_ introduction: Introduction) {
    if hasSubscriber { deliver(subscription: self) }
    if !introduction.isDeferred { finish(introduction) }
  }

  /// Stores a delivery for the thread that introduces the subscriber, as long as that is in progress on another thread;
  /// otherwise performs it.
  @usableFromInline @inline(never)
  internal func hold(_ delivery: @escaping () -> Void) {
    if let introduction {
      if introduction.isHere {
        if introduction.holdWithin(DeferredCall(delivery), isDraining: { isEngineDraining }) { return }
        // Deliveries that other threads have stored before come first.
        introduction.deliverHeld()
      } else if introduction.hold(DeferredCall(delivery)) {
        return
      }
      if introduction.isOver { self.introduction = nil }
    }
    delivery()
  }

  private var isEngineDraining: Bool { look { .lookIfDraining($0) } }

  /// Delivers what has been stored during the introduction, and then lets the owner of the loop deliver.
  internal func finish(_ introduction: Introduction) {
    if calls.repeats == .all { introduction.serve(self) }
    introduction.present = nil
    // From here on, requests take the usual path.
    let source = withReferences { references in
      references.introduction = nil
      return references.source
    }
    guard let source else { return }
    while true {
      switch introduction.next() {
      case .deliver(let delivery):
        introduction.perform(delivery.perform)
      case .end(isClosed: true):
        return discard()
      case .end(isClosed: false):
        // Values that have come meanwhile wait in the engine.
        if calls.repeats.keepsValues { withExtendedLifetime(source) { serve() } }
        return
      }
    }
  }

  /// Keeps the introduction open until ``finishJoining()``, where a member gets values that were sent before it joined.
  ///
  /// Those are presented at its requests, whatever other threads do. Where there are none, a request only has to reach
  /// the engine, and through it upstream: at once, as with a user's publisher, which knows nothing of an open
  /// introduction.
  ///
  /// - Returns: Whether the member is being introduced on the calling thread.
  internal func deferIntroduction() -> Bool {
    guard calls.repeats.presents else { return false }
    if let introduction = withReferences({ $0.introduction }) {
      guard introduction.isHere else { return false }
      introduction.isDeferred = true
      return true
    }
    // The owner of the loop is delivering the subscription, and leaves the loop after that: the introduction has to be
    // continued like that of a joining thread.
    guard isStarting(on: currentThread()) else { return false }
    let introduction = Introduction()
    introduction.isDeferred = true
    introduction.beganDraining = isEngineDraining
    prepare(introduction)
    call(.takeSnapshot(introduction))
    return true
  }
}
