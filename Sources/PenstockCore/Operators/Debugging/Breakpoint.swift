// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Stops in the debugger when a closure returns `true`.
  ///
  /// The operator raises `SIGTRAP` before it passes on the event. Without a debugger the process ends.
  ///
  /// ```swift
  /// let cancellable = (1...10).publisher.breakpoint(receiveOutput: { $0 == 7 }).sink { print($0) }
  /// // Prints "1" to "6", and stops.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closures run on the thread that delivers the event.
  ///
  /// Use ``breakpointOnError()`` to stop at any failure, and ``print(_:to:)`` to log the events instead.
  ///
  /// - Parameters:
  ///   - receiveSubscription: A closure that returns whether to stop at a subscription.
  ///   - receiveOutput: A closure that returns whether to stop at a value.
  ///   - receiveCompletion: A closure that returns whether to stop at a completion.
  /// - Returns: A publisher of the same values.
  @_alwaysEmitIntoClient
  public consuming func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when the upstream publisher fails.
  ///
  /// The operator raises `SIGTRAP` before it passes on the failure. Without a debugger the process ends.
  ///
  /// **Demand:** passed to upstream unchanged. **Completion:** forwarded. **Failure:** forwarded after the stop.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use ``assertNoFailure(_:file:line:)`` to stop with a message.
  ///
  /// - Returns: A publisher of the same values.
  @_alwaysEmitIntoClient
  public consuming func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      switch completion {
      case .finished: false
      case .failure: true
      }
    })
  }
}

extension Publishers {
  /// A publisher that stops in the debugger; see
  /// ``Publisher/breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``.
  public struct Breakpoint<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose events are tested.
    public let upstream: Upstream

    /// The closure that returns whether to stop at a subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?

    /// The closure that returns whether to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?

    /// The closure that returns whether to stop at a completion.
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    /// Creates a publisher that stops in the debugger when a closure returns `true`.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Self.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      let stage = BreakpointStage<_, PassingChannel<Failure>>(receiveOutput, receiveCompletion)
      let transparent = TransparentSubscriber(stage, to: subscriber)
      guard let receiveSubscription else { return upstream.subscribe(transparent) }
      upstream.subscribe(BreakpointSubscriber(receiveSubscription, before: transparent))
    }
  }
}

@frozen
@usableFromInline
internal struct BreakpointStage<Input, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never, Channel.Downstream == Channel.Upstream {
  @usableFromInline internal let receiveOutput: ((Input) -> Bool)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Channel.Upstream>) -> Bool)?

  @_alwaysEmitIntoClient
  internal init(
    _ receiveOutput: ((Input) -> Bool)?, _ receiveCompletion: ((Subscribers.Completion<Channel.Upstream>) -> Bool)?
  ) {
    self.receiveOutput = receiveOutput
    self.receiveCompletion = receiveCompletion
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Breakpoint" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Channel.Downstream> {
    if receiveOutput?(input) == true { stopInDebugger() }
    return .emit(input)
  }

  @_alwaysEmitIntoClient
  internal func receive(
    completion: Subscribers.Completion<Channel.Upstream>
  ) -> Subscribers.Completion<Channel.Upstream> {
    if receiveCompletion?(completion) == true { stopInDebugger() }
    return completion
  }
}
