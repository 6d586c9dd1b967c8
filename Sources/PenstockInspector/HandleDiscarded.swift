// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes all signals, and calls a closure with each value of its own type that is discarded upstream.
  ///
  /// ```swift
  /// let orders = PassthroughSubject<Int, Never>()
  /// orders
  ///   .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
  ///   .handleDiscarded { order, reason in print("lost \(order): \(reason)") }
  ///   .subscribe(AnySubscriber(receiveSubscription: { $0.request(.max(1)) }))
  /// for order in 1...4 { orders.send(order) }
  /// // Prints "lost 2: bufferFull"
  /// ```
  ///
  /// For what counts as discarded, see ``PenstockCore/Publisher/handleDiscarded(of:_:)``, which also handles values of
  /// other types, which an operator upstream turns into this one.
  ///
  /// **Demand:** that of downstream, passed on.
  ///
  /// **Completion:** and **Failure:** passed on. The closure may still be called, with values that waited upstream at
  /// that moment.
  ///
  /// **Concurrency:** the closure is called where the value is discarded, which may be on any thread, several at a
  /// time, and during a delivery. No lock is held.
  ///
  /// - Parameter body: A closure that is called with the value and with the reason.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func handleDiscarded(
    _ body: @escaping (Output, Inspector.Link.Drops.Reason) -> Void
  ) -> Publishers.HandleDiscarded<Self> {
    handleDiscarded(of: Output.self, body)
  }

  /// Republishes all signals, and calls a closure with each value of a type that is discarded upstream.
  ///
  /// A value is discarded if an operator or a subject has accepted it and will not deliver it: because there is no
  /// demand, because a buffer is full, because a newer value has taken its place, or because it still waits when the
  /// stream is cancelled or ends. Values that an operator leaves out by its nature, as `filter` and `removeDuplicates`
  /// do, are not discarded. Nor are values that no publisher has made, such as a timer's dates without demand.
  ///
  /// Values discarded upstream of a publisher with several subscribers, such as `share()`, belong to all of their
  /// streams, and are not reported here; nor are those upstream of a subscription that a publisher of your own has
  /// made. Three kinds of values are reported only to ``Inspector/handleDiscarded(_:)``: those sent to a subject after
  /// its end, those that `values(buffering:)` drops downstream, and those that wait for their key in
  /// `mapAsync(maxTasks:by:priority:_:)`.
  ///
  /// Without such a closure, a discarded value costs the process a read of one variable.
  ///
  /// **Demand:** that of downstream, passed on.
  ///
  /// **Completion:** and **Failure:** passed on. The closure may still be called, with values that waited upstream at
  /// that moment.
  ///
  /// **Concurrency:** the closure is called where the value is discarded, which may be on any thread, several at a
  /// time, and during a delivery. No lock is held. The links upstream keep the closure until they are freed.
  ///
  /// - Parameters:
  ///   - type: The type of the values; `Any.self` for all.
  ///   - body: A closure that is called with the value and with the reason.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func handleDiscarded<Value>(
    of type: Value.Type, _ body: @escaping (Value, Inspector.Link.Drops.Reason) -> Void
  ) -> Publishers.HandleDiscarded<Self> {
    Publishers.HandleDiscarded(upstream: self) { value, reason in
      if let value = value as? Value { body(value, reason) }
    }
  }
}

extension Publishers {
  /// A publisher that reports the values that are discarded upstream of it; see
  /// ``PenstockCore/Publisher/handleDiscarded(of:_:)``.
  public struct HandleDiscarded<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that is republished.
    public let upstream: Upstream
    @usableFromInline internal let body: (Any, Inspector.Link.Drops.Reason) -> Void

    @inlinable
    internal init(upstream: Upstream, _ body: @escaping (Any, Inspector.Link.Drops.Reason) -> Void) {
      self.upstream = upstream
      self.body = body
    }

    // Nothing is handed over, and nothing resides elsewhere: the links upstream have to be objects that know the
    // listeners.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.subscribe(
        ManagedSubscriber(HandleDiscardedStage<Upstream.Output, Upstream.Failure>(body), to: subscriber),
        upstreamOf: S.self)
    }
  }
}

/// A stage that passes all signals on.
@usableFromInline
internal struct HandleDiscardedStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Output = Input
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let listener: DiscardListener

  @usableFromInline
  internal init(_ body: @escaping (Any, Inspector.Link.Drops.Reason) -> Void) {
    listener = DiscardListener { body($0, Inspector.Link.Drops.Reason($1)) }
  }

  @inlinable
  internal static var name: String { "HandleDiscarded" }

  @inlinable
  internal static var rules: ManagedRules { .passing }

  @usableFromInline
  internal func begin(at link: ManagedSubscription) { listener.listen(at: link) }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> { .emit(input) }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> { completion }
}

extension Inspector {
  /// A value that a link has discarded.
  public struct Discarded {
    /// The value.
    public let value: Any
    /// Why it has been discarded.
    public let reason: Link.Drops.Reason
    /// The text that `print()` prints for the link that has discarded it; `nil` for a subject's value after its end,
    /// and for one that waits for its key.
    public let link: String?
  }

  /// Sets the closure that is called with each value that any stream of the process discards.
  ///
  /// ```swift
  /// Inspector.handleDiscarded { print("lost \($0.value): \($0.reason)") }
  /// let numbers = PassthroughSubject<Int, Never>()
  /// numbers.send(completion: .finished)
  /// numbers.send(7)
  /// Inspector.handleDiscarded(nil)
  /// // Prints "lost 7: late"
  /// ```
  ///
  /// For what counts as discarded, see ``PenstockCore/Publisher/handleDiscarded(of:_:)``. A value that is sent to a
  /// subject without subscribers is not discarded: it had no recipient.
  ///
  /// **Concurrency:** the closure is called where the value is discarded: on any thread, several at a time. No lock is held.
  /// A call that has begun before another closure is set may still be running.
  ///
  /// - Parameter body: The closure, which replaces the previous one; `nil` for none.
  public static func handleDiscarded(_ body: (@Sendable (Discarded) -> Void)?) {
    discards.setHandler(
      body.map { body in
        { discarded in
          body(
            Discarded(
              value: discarded.value, reason: Link.Drops.Reason(discarded.reason),
              link: discarded.link.map { String(describing: $0) }))
        }
      })
  }
}
