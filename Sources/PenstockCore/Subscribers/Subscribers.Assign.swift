// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Sets a property of an object to each value.
  ///
  /// ```swift
  /// final class Gauge {
  ///   var level = 0
  /// }
  /// let gauge = Gauge()
  /// let cancellable = [1, 2].publisher.assign(to: \.level, on: gauge)
  /// print(gauge.level)
  /// // Prints "2"
  /// ```
  ///
  /// The object is kept until the stream has finished or has been cancelled. An object that keeps the cancellable of an
  /// assignment to itself is therefore never freed by itself.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** frees the object.
  ///
  /// **Concurrency:** the property is set on the thread that delivers, one value at a time.
  ///
  /// - Parameters:
  ///   - keyPath: The property to set.
  ///   - object: The object to set it on.
  /// - Returns: The means to stop. Dropping it stops too.
  @inlinable
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that sets a property of an object to each value, and asks for everything.
  ///
  /// **Demand:** `.unlimited`, as soon as the subscription arrives. A value before that is ignored.
  ///
  /// **Completion:** frees the object. Later signals are ignored.
  ///
  /// **Concurrency:** ``cancel()`` may come from any thread. A cancel before the subscription is remembered, and the
  /// subscription cancelled when it arrives; Combine forgets it, which loses the cancel of a `subscribe(on:)`.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    public typealias Failure = Never

    @usableFromInline internal let endpoint: Endpoint

    /// The object, which the endpoint keeps alive; unretained, for values that arrive while the gate is open.
    @usableFromInline internal let target: Unmanaged<AssignTarget<Root>>

    /// The property that is set.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// Makes a subscriber that sets a property of an object to each value.
    ///
    /// - Parameters:
    ///   - object: The object to set the property on.
    ///   - keyPath: The property to set.
    @inlinable
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      let target = AssignTarget(object)
      self.target = .passUnretained(target)
      self.keyPath = keyPath
      endpoint = Endpoint(keeping: target)
    }

    /// The object that the property is set on; `nil` once the stream is over.
    public var object: Root? {
      endpoint.gate == .closed ? nil : keptTarget?.object
    }

    @inlinable
    internal var keptTarget: AssignTarget<Root>? { endpoint.kept(as: AssignTarget.self) }

    @inlinable
    public func receive(subscription: any Subscription) {
      endpoint.receive(subscription, for: self)
    }

    @inlinable
    public func receive(_ input: Input) -> Subscribers.Demand {
      switch endpoint.gate {
      case .open: target._withUnsafeGuaranteedRef { $0.object[keyPath: keyPath] = input }
      case .locked: if endpoint.isSubscribed { keptTarget?.object[keyPath: keyPath] = input }
      case .closed: break
      }
      return .none
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Never>) {
      // The object is released now or, if a value is being delivered, after the delivery.
      if endpoint.isSubscribed { endpoint.close() }
    }

    /// Stops, and frees the object: no delivery starts afterwards.
    @inlinable
    public func cancel() {
      endpoint.cancel()
    }
  }
}

/// A box for the root of an assignment, which may be a value: an endpoint keeps objects only.
@usableFromInline
internal final class AssignTarget<Root> {
  @usableFromInline internal let object: Root

  @inlinable
  internal init(_ object: Root) {
    self.object = object
  }
}

extension Subscribers.Assign: ChainEnd {
  @usableFromInline
  package func deliveriesEnded() {
    endpoint.deliveriesEnded()
  }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `Assign`, the type of the object, and a period.
  public var description: String { "Assign \(Root.self)." }

  /// A mirror of the object, the key path and the state of the subscription.
  public var customMirror: Mirror {
    let status: SubscriptionSlot.Phase =
      endpoint.gate == .closed ? .terminal : endpoint.isSubscribed ? .active : .awaiting
    return Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": status])
  }

  /// The same as ``description``.
  public var playgroundDescription: Any { description }
}
