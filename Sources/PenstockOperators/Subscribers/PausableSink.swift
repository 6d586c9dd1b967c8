// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Runs closures with what this publisher delivers, one value at a time, and pauses when a closure says so.
  ///
  /// ```swift
  /// let sink = [1, 2, 3].publisher.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { value in
  ///     print(value)
  ///     return value % 2 == 0
  ///   })
  /// print("paused:", sink.paused)
  /// sink.resume()
  /// // Prints "1", "paused: true", "2", "3", "finished" on five lines.
  /// ```
  ///
  /// Dropping the result does not cancel, as it does not with a subscriber that was made by hand. Store it
  /// (`store(in:)`), and it is cancelled when the store is gone.
  ///
  /// **Demand:** one value at a time. None is asked for while it is paused.
  ///
  /// **Completion:** frees the closures and runs the one for the completion, whether it is paused or not.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** the closures run on the thread that delivers, one at a time: where upstream delivers inside of the
  /// request, that is the thread that resumes. Any thread may pause, resume and cancel. A resume or a pause during
  /// `receiveValue`, from inside of it or on another thread, counts when that has returned, and before what it returns.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveValue: Called with each value. `false` pauses.
  /// - Returns: The means to pause, to resume and to stop.
  @_disfavoredOverload
  @inlinable
  public func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Bool
  ) -> any Pausable & Cancellable {
    let sink = Subscribers.PausableSink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return sink
  }
}

extension Subscribers {
  /// A subscriber that asks for one value at a time, and can be paused; see
  /// `pausableSink(receiveCompletion:receiveValue:)`.
  ///
  /// **Demand:** `.max(1)` as soon as the subscription arrives, and after each value.
  ///
  /// **Concurrency:** any thread may pause, resume and cancel. Values that were not asked for are ignored. A value that
  /// was asked for before ``pause()`` is still delivered when it comes.
  public final class PausableSink<Input, Failure: Error>: Subscriber, Pausable, Cancellable {
    @usableFromInline internal let endpoint: Endpoint
    @usableFromInline internal let pauses = PauseSwitch()

    /// The closures, which the endpoint keeps alive; unretained, for values that arrive while the gate is open.
    @usableFromInline internal let closures: Unmanaged<PausableSinkClosures<Input, Failure>>

    /// Makes a subscriber from two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveValue: Called with each value. `false` pauses.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Bool
    ) {
      let closures = PausableSinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      self.closures = .passUnretained(closures)
      endpoint = Endpoint(keeping: closures)
    }

    /// Whether no value is asked for until ``resume()``.
    ///
    /// Not after the end.
    @inlinable
    public var paused: Bool { pauses.isPaused }

    /// Asks for one more value, if it is paused.
    ///
    /// It does nothing after the end. During `receiveValue` it counts when that has returned.
    @inlinable
    public func resume() {
      if pauses.resume() { endpoint.request(.max(1)) }
    }

    /// Asks for no more values.
    ///
    /// One that has been asked for still comes.
    @inlinable
    public func pause() {
      pauses.pause()
    }

    @inlinable
    public func receive(subscription: any Subscription) {
      guard endpoint.attach(subscription, for: self) else { return }
      if pauses.subscribe() { subscription.request(.max(1)) }
    }

    @inlinable
    public func receive(_ input: Input) -> Subscribers.Demand {
      guard pauses.begin() else { return .none }
      let goesOn: Bool
      switch endpoint.gate {
      case .open: goesOn = closures._withUnsafeGuaranteedRef { $0.receiveValue(input) }
      case .locked: goesOn = endpoint.kept(as: PausableSinkClosures<Input, Failure>.self)?.receiveValue(input) ?? false
      case .closed: return .none
      }
      return pauses.end(goesOn: goesOn) ? .max(1) : .none
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      pauses.close()
      // The closure for values is released before the one for the completion runs, unless a value is being delivered.
      let receiveCompletion = endpoint.close(PausableSinkClosures<Input, Failure>.self)?.receiveCompletion
      receiveCompletion?(completion)
    }

    /// Stops: no delivery starts afterwards.
    @inlinable
    public func cancel() {
      pauses.close()
      endpoint.cancel()
    }
  }
}

/// The two closures of a sink, in an object of their own, so that a delivery can use them while the sink releases them.
@usableFromInline
internal final class PausableSinkClosures<Input, Failure: Error> {
  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Bool

  @inlinable
  internal init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Bool
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}

extension Subscribers.PausableSink: ChainEnd {
  @usableFromInline
  package func deliveriesEnded() {
    endpoint.deliveriesEnded()
  }
}

extension Subscribers.PausableSink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `PausableSink`.
  public var description: String { "PausableSink" }

  /// A mirror with one child: whether it is paused.
  public var customMirror: Mirror { Mirror(self, children: ["paused": paused]) }

  /// `PausableSink`.
  public var playgroundDescription: Any { description }
}
