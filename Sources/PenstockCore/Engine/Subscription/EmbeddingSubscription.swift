// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscription that stores its subscriber, of any type, in its own memory.
///
/// The code that depends on the subscriber's type is in closures, its ``SubscriberCalls``. See ``EmbeddedValue`` for
/// the memory.
///
/// The memory is initialised by ``embed(_:)`` and deinitialised by ``disembed()``, or when the subscription is freed. A
/// subclass delivers only between those two calls.
@usableFromInline
package class EmbeddingSubscription: BaseSubscription {
  // Stored and passed whole: the references of its parts would be counted one by one.
  @usableFromInline internal final let subscriberCalls: SubscriberCalls
  @exclusivity(unchecked) @usableFromInline internal final var embedded = EmbeddedValue()

  @_alwaysEmitIntoClient
  internal init(downstream: __owned SubscriberCalls) {
    if linkCounting.value == .off {
      subscriberCalls = consume downstream
      super.init()
      return
    }
    let record = LinkRecord.make()
    subscriberCalls = record.counting(downstream)
    super.init()
    record.begin(for: self)
  }

  deinit { disembed() }

  // MARK: Storing

  /// Whether the subscriber is stored.
  @_alwaysEmitIntoClient
  package final var hasSubscriber: Bool { embedded.isFull }

  @_alwaysEmitIntoClient @inline(__always)
  internal final func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    embedded.withMemory(body)
  }

  /// Stores the subscriber for which the calls have been made, or the one that a port stands for.
  @inlinable
  internal final func embed<S: Subscriber>(_ subscriber: consuming S) {
    if let port = subscriber.port { port.copy(port.subscriber, &embedded) } else { embedded.put(subscriber) }
  }

  /// Releases the subscriber; called when no delivery is running and none will start.
  @usableFromInline
  package final func disembed() {
    guard embedded.isFull else { return }
    embedded.isFull = false
    withMemory { subscriberCalls.other($0, .end, $0) }
  }

  /// The subscriber, for mirrors; only while it is stored.
  @usableFromInline
  package final var underlying: Any? {
    var subscriber: Any?
    if hasSubscriber {
      withMemory { memory in
        _withUnprotectedUnsafeMutablePointer(to: &subscriber) { subscriberCalls.other(memory, .subscriber, $0) }
      }
    }
    return subscriber
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.passed = SubscriberCalls.passedLinks(subscriberCalls.other)
  }

  // MARK: Delivering

  /// Delivers a subscription: this one, unless the stream was over before.
  @usableFromInline
  package final func deliver(subscription: any Subscription) {
    withMemory { memory in
      _withUnprotectedUnsafePointer(to: subscription) {
        subscriberCalls.other(memory, .subscription, UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  package final func deliver<Input>(value input: borrowing Input) -> Subscribers.Demand {
    _withUnprotectedUnsafePointer(to: input) { input in
      withMemory { subscriberCalls.value($0, UnsafeRawPointer(input)) }
    }
  }

  @_alwaysEmitIntoClient
  package final func deliver<Failure: Error>(ending completion: Subscribers.Completion<Failure>) {
    withMemory { memory in
      _withUnprotectedUnsafePointer(to: completion) {
        subscriberCalls.other(memory, .completion, UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }
}
