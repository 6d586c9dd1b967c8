// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Calls closures for the events that pass in both directions.
  ///
  /// ![The values pass, and closures are called at each event.](handle-events)
  ///
  /// The stream itself is unchanged. Each closure is called before its event is passed on; no closure is called after a
  /// completion or a cancel.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .handleEvents(
  ///     receiveOutput: { print("passing", $0) },
  ///     receiveRequest: { print("asked for", $0) })
  ///   .sink { print($0) }
  /// // Prints "asked for unlimited", "passing 1", "1", "passing 2", "2" on five lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread. The closures for subscription, values and completion run on the thread on which
  /// upstream delivers, those for requests and cancels on the thread on which downstream calls; both may happen at the
  /// same time. The closures are released with the subscription; Combine releases them at the completion or cancel, if
  /// that is earlier.
  ///
  /// Use ``print(_:to:)`` to log every event, and ``breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``
  /// to stop in the debugger.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the upstream subscription.
  ///   - receiveOutput: Called with each value.
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveCancel: Called when downstream cancels.
  ///   - receiveRequest: Called with each request of downstream, and with the demand that it returns for a value unless
  ///     that is `.none`.
  /// - Returns: A publisher of the same values.
  @_alwaysEmitIntoClient
  public consuming func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// A publisher that calls closures for the events that pass; see
  /// ``Publisher/handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)``.
  public struct HandleEvents<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose events the closures are called for.
    public let upstream: Upstream

    /// The closure called with the upstream subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// The closure called with each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// The closure called with the completion.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// The closure called when downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// The closure called with each request of downstream.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Creates a publisher that calls closures for the events that pass.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Self.Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.subscribe(ObservingSubscriber(HandleEventsStage(self), to: subscriber))
    }
  }
}

/// The closures, separate from the publisher that has them as properties.
@frozen
@usableFromInline
internal struct HandleEventsStage<Input, Failure: Error>: ObservingStage {
  @usableFromInline internal let receiveOutput: ((Input) -> Void)?
  @usableFromInline internal let rare: HandleRareEvents<Failure>

  @_alwaysEmitIntoClient
  internal init<Upstream: Publisher>(_ publisher: Publishers.HandleEvents<Upstream>)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    receiveOutput = publisher.receiveOutput
    rare = HandleRareEvents(
      receiveSubscription: publisher.receiveSubscription, receiveCompletion: publisher.receiveCompletion,
      receiveCancel: publisher.receiveCancel, receiveRequest: publisher.receiveRequest)
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "HandleEvents" }

  @_alwaysEmitIntoClient
  internal static var cancelsFirst: Bool { false }

  @_alwaysEmitIntoClient
  internal static var forwardsAfterEnd: Bool { true }

  @_alwaysEmitIntoClient
  internal func observed(subscription: any Subscription) { rare.receiveSubscription?(subscription) }

  @_alwaysEmitIntoClient
  internal func observed(value: Input) { receiveOutput?(value) }

  @_alwaysEmitIntoClient
  internal func observed(completion: Subscribers.Completion<Failure>) { rare.receiveCompletion?(completion) }

  @_alwaysEmitIntoClient
  internal func observed(request: Subscribers.Demand, isAnswer: Bool) { rare.receiveRequest?(request) }

  @_alwaysEmitIntoClient
  internal func observedCancel() { rare.receiveCancel?() }
}

/// The closures that are not called for each value.
///
/// An object, because both directions of the stream use them: so they are kept once.
@usableFromInline
internal final class HandleRareEvents<Failure: Error> {
  @usableFromInline internal let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline internal let receiveCancel: (() -> Void)?
  @usableFromInline internal let receiveRequest: ((Subscribers.Demand) -> Void)?

  @_alwaysEmitIntoClient
  internal init(
    receiveSubscription: ((any Subscription) -> Void)?,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?,
    receiveCancel: (() -> Void)?,
    receiveRequest: ((Subscribers.Demand) -> Void)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveCompletion = receiveCompletion
    self.receiveCancel = receiveCancel
    self.receiveRequest = receiveRequest
  }
}
