// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Runs closures about what passes, in both directions, and changes nothing.
  ///
  /// Each closure runs before what it tells of goes on. None runs after a completion or a cancel.
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
  /// **Concurrency:** adds no thread. The closures about subscription, values and completion run where upstream
  /// delivers, those about requests and cancels where downstream calls, which may be at the same time. What the
  /// closures hold is freed with the stream; Combine frees it at the completion or cancel, if that is earlier.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription from upstream.
  ///   - receiveOutput: Called with each value.
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveCancel: Called when downstream cancels.
  ///   - receiveRequest: Called with what downstream requests, and with what it returns for a value unless that is
  ///     `.none`.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func handleEvents(
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
  /// A publisher that runs closures about what passes; see
  /// ``Publisher/handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)``.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose signals the closures are about.
    public let upstream: Upstream

    /// Called with the subscription from upstream.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// Called with each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// Called with the completion.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// Called when downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// Called with what downstream asks for.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Makes a publisher that runs closures about what passes.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
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

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Tapped(HandleEventsTap(self), to: subscriber))
    }
  }
}

/// The closures, separate from the publisher that has them as properties.
@frozen
@usableFromInline
internal struct HandleEventsTap<Input, Failure: Error>: Tap {
  @usableFromInline internal let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline internal let receiveOutput: ((Input) -> Void)?
  @usableFromInline internal let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline internal let receiveCancel: (() -> Void)?
  @usableFromInline internal let receiveRequest: ((Subscribers.Demand) -> Void)?

  @inlinable
  internal init<Upstream: Publisher>(_ publisher: Publishers.HandleEvents<Upstream>)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    receiveSubscription = publisher.receiveSubscription
    receiveOutput = publisher.receiveOutput
    receiveCompletion = publisher.receiveCompletion
    receiveCancel = publisher.receiveCancel
    receiveRequest = publisher.receiveRequest
  }

  @inlinable
  internal static var name: String { "HandleEvents" }

  @inlinable
  internal static var looksPastTheEnd: Bool { false }

  @inlinable
  internal func saw(subscription: any Subscription) { receiveSubscription?(subscription) }

  @inlinable
  internal func saw(value: Input) { receiveOutput?(value) }

  @inlinable
  internal func saw(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  @inlinable
  internal func saw(request: Subscribers.Demand, isAnswer: Bool) { receiveRequest?(request) }

  @inlinable
  internal func sawCancel() { receiveCancel?() }
}
