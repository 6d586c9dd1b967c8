// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Whether anybody looks at the streams of the process: all that a subscription has to know in general.
@usableFromInline
internal let isIntrospected = Atomic<Bool>(false)

/// Those who look.
internal let introspections = Introspections()

internal struct Introspections: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the list is behind the lock; those in it are called on any thread, which is what they are for.

  private let enabled = Guarded<[any _Introspection]>([])

  var current: [any _Introspection] { enabled.withLock { $0 } }

  func add(_ introspection: any _Introspection) {
    enabled.withLock { enabled in
      if !enabled.contains(where: { $0 === introspection }) { enabled.append(introspection) }
      isIntrospected.store(true, ordering: .relaxed)
    }
  }

  func remove(_ introspection: any _Introspection) {
    // The list is replaced, and the old one freed outside of the lock.
    let old = enabled.withLock { enabled in
      let old = enabled
      enabled = old.filter { $0 !== introspection }
      isIntrospected.store(!enabled.isEmpty, ordering: .relaxed)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Surrounds a call with what those who look have to say, who are the same before it and after it.
  func around<Result>(
    will: (any _Introspection) -> Void, did: (any _Introspection, Result) -> Void, _ call: () -> Result
  ) -> Result {
    let current = current
    for introspection in current { will(introspection) }
    let result = call()
    for introspection in current { did(introspection, result) }
    return result
  }
}

extension Publisher {
  /// Attaches a subscriber, and a tap between it and this publisher.
  ///
  /// Not inlinable and not specialised: it is rare, and a chain of taps has a type that grows with every link.
  @usableFromInline
  @inline(never)
  internal func subscribeTapped<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    // A publisher may pass on the subscriber that it was given; another tap would report every event once more.
    if let tap = subscriber.tap {
      subscribe(tap.downstream) { receive(subscriber: subscriber) }
    } else {
      subscribe(subscriber) { receive(subscriber: IntrospectionTap<Output, Failure>(subscriber)) }
    }
  }

  /// Surrounds the attaching of a subscriber with what those who look have to say about it.
  private func subscribe<S: Subscriber>(_ subscriber: S, _ attach: () -> Void)
  where Failure == S.Failure, Output == S.Input {
    introspections.around(
      will: { $0.willReceive(publisher: self, subscriber: subscriber) },
      did: { introspection, _ in introspection.didReceive(publisher: self, subscriber: subscriber) }, attach)
  }
}
