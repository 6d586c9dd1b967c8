// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Runs closures with what this publisher delivers.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1", "2", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited.
  ///
  /// **Concurrency:** the closures run on the thread that delivers, one at a time.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveValue: Called with each value.
  /// - Returns: The means to stop. Dropping it stops too.
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Runs a closure with each value of a publisher that cannot fail.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers, one value at a time.
  ///
  /// - Parameter receiveValue: Called with each value.
  /// - Returns: The means to stop. Dropping it stops too.
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// A subscriber that runs closures, and asks for everything.
  ///
  /// **Demand:** `.unlimited`, as soon as the subscription arrives.
  ///
  /// **Completion:** frees the closures and runs the one for the completion. Later signals are ignored.
  ///
  /// **Concurrency:** ``cancel()`` may come from any thread. A cancel before the subscription is remembered, and the
  /// subscription cancelled when it arrives; Combine forgets it, which loses the cancel of a `subscribe(on:)`.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline internal let endpoint: Endpoint

    /// The closures, which the endpoint keeps alive; unretained, for values that arrive while the gate is open.
    @usableFromInline internal let closures: Unmanaged<SinkClosures<Input, Failure>>

    /// Makes a subscriber from two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveValue: Called with each value.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      let closures = SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      self.closures = .passUnretained(closures)
      endpoint = Endpoint(keeping: closures)
    }

    /// The closure for values; one that does nothing once the stream is over.
    public var receiveValue: (Input) -> Void {
      keptClosures?.receiveValue ?? { _ in }
    }

    /// The closure for the completion; one that does nothing once the stream is over.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      keptClosures?.receiveCompletion ?? { _ in }
    }

    @inlinable
    internal var keptClosures: SinkClosures<Input, Failure>? { endpoint.kept(as: SinkClosures.self) }

    @inlinable
    public func receive(subscription: any Subscription) {
      endpoint.receive(subscription, for: self)
    }

    @inlinable
    public func receive(_ input: Input) -> Subscribers.Demand {
      switch endpoint.gate {
      case .open: closures._withUnsafeGuaranteedRef { $0.receiveValue(input) }
      case .locked: keptClosures?.receiveValue(input)
      case .closed: break
      }
      return .none
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      // The closure for values is released before the one for the completion runs, unless a value is being delivered.
      let receiveCompletion = endpoint.close(SinkClosures<Input, Failure>.self)?.receiveCompletion
      receiveCompletion?(completion)
    }

    /// Stops: no delivery starts afterwards.
    @inlinable
    public func cancel() {
      endpoint.cancel()
    }
  }
}

/// The two closures of a sink, in an object of their own, so that a delivery can use them while the sink releases them.
@usableFromInline
internal final class SinkClosures<Input, Failure: Error> {
  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Void

  @inlinable
  internal init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}

extension Subscribers.Sink: ChainEnd {
  @usableFromInline
  package func deliveriesEnded() {
    endpoint.deliveriesEnded()
  }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `Sink`.
  public var description: String { "Sink" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// `Sink`.
  public var playgroundDescription: Any { description }
}
