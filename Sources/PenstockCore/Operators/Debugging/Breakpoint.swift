// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Stops in the debugger when a closure says so.
  ///
  /// The process is stopped by a `SIGTRAP` before the signal that the closure was asked about goes on. Without a
  /// debugger the process ends.
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
  /// **Concurrency:** adds no thread and no lock; the closures run where upstream delivers.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Asked about the subscription from upstream.
  ///   - receiveOutput: Asked about each value.
  ///   - receiveCompletion: Asked about the completion.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when the stream fails.
  ///
  /// The process is stopped by a `SIGTRAP` before the failure goes on. Without a debugger the process ends.
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded, after the stop.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// - Returns: A publisher of the same values.
  @inlinable
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      switch completion {
      case .finished: false
      case .failure: true
      }
    })
  }
}

extension Publishers {
  /// A publisher that stops in the debugger when a closure says so; see
  /// ``Publisher/breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose signals the closures are asked about.
    public let upstream: Upstream

    /// Asked about the subscription from upstream.
    public let receiveSubscription: ((any Subscription) -> Bool)?

    /// Asked about each value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?

    /// Asked about the completion.
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    /// Makes a publisher that stops in the debugger when a closure says so.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      let stage = BreakpointStage<_, Passing<Failure>>(receiveSubscription, receiveOutput, receiveCompletion)
      upstream.subscribe(Transparent(stage, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
internal struct BreakpointStage<Input, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never, Channel.Downstream == Channel.Upstream {
  @usableFromInline internal let receiveSubscription: ((any Subscription) -> Bool)?
  @usableFromInline internal let receiveOutput: ((Input) -> Bool)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Channel.Upstream>) -> Bool)?

  @inlinable
  internal init(
    _ receiveSubscription: ((any Subscription) -> Bool)?, _ receiveOutput: ((Input) -> Bool)?,
    _ receiveCompletion: ((Subscribers.Completion<Channel.Upstream>) -> Bool)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveOutput = receiveOutput
    self.receiveCompletion = receiveCompletion
  }

  @inlinable
  internal static var name: String { "Breakpoint" }

  @inlinable
  internal func pass<S: Subscriber>(_ subscription: any Subscription, to downstream: S) {
    if receiveSubscription?(subscription) == true { stopInDebugger() }
    downstream.receive(subscription: subscription)
  }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input> {
    if receiveOutput?(input) == true { stopInDebugger() }
    return .emit(input)
  }

  @inlinable
  internal func receive(
    completion: Subscribers.Completion<Channel.Upstream>
  ) -> Subscribers.Completion<Channel.Upstream> {
    if receiveCompletion?(completion) == true { stopInDebugger() }
    return completion
  }
}
