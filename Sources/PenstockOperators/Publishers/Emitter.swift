// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// The values and the completion of a publisher made by `AnyPublisher.create(bufferSize:whenFull:_:)`, as its closure
  /// sends them to one subscriber.
  ///
  /// A source that can wait sends what has been requested, and no more:
  ///
  /// ```swift
  /// let countdown = AnyPublisher<Int, Never>.create { emitter in
  ///   var next = 3
  ///   emitter.onDemand { _ in
  ///     while emitter.isReady {
  ///       emitter.send(next)
  ///       next -= 1
  ///       if next == 0 { emitter.send(completion: .finished) }
  ///     }
  ///   }
  ///   return AnyCancellable { print("released") }
  /// }
  /// let cancellable = countdown.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "3", "2", "1", "released", "finished" on five lines.
  /// ```
  ///
  /// **Demand:** ``isReady``, ``demand`` and ``onDemand(_:)`` say what the subscriber has requested; the publisher's
  /// parameters decide whether a value sent beyond that is stored or dropped.
  ///
  /// **Completion:** sent by the source, once; a cancel ends the stream as well.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may use it. Values that several threads send are delivered one at a time, in the order
  /// in which they were sent; a thread that finds another one delivering leaves its value to that one. A value that is
  /// sent during a delivery is delivered after it. An emitter that is kept after the end keeps nothing alive.
  ///
  /// `Sendable` covers the emitter's own state only: the subscriber receives the values on the thread that sends.
  public struct Emitter<Output, Failure: Error> {
    @usableFromInline internal let source: EmitterSource<Output, Failure>
    @usableFromInline internal let subscription: SourceSubscription

    @inlinable
    internal init(_ source: EmitterSource<Output, Failure>, _ subscription: SourceSubscription) {
      self.source = source
      self.subscription = subscription
    }

    /// Delivers a value, or stores it until it is requested.
    ///
    /// After the end or a cancel the value is ignored.
    @_alwaysEmitIntoClient
    public func send(_ value: Output) { source.send(value, subscription) }

    /// Ends the stream: runs the cleanup, and delivers the completion after the values that are stored.
    ///
    /// Only the first call has an effect, and none after a cancel.
    @_alwaysEmitIntoClient
    public func send(completion: Subscribers.Completion<Failure>) { source.send(completion: completion) }

    /// Whether values are accepted: the subscriber has not cancelled, and no completion has been sent.
    @_alwaysEmitIntoClient
    public var isActive: Bool { source.isOpen }

    /// Whether a value has been requested that has not been sent.
    ///
    /// After the end or a cancel it is `false`.
    @_alwaysEmitIntoClient
    public var isReady: Bool { source.openDemand != .none }

    /// The number of values that have been requested and not been sent.
    ///
    /// After the end or a cancel it is `.none`.
    @_alwaysEmitIntoClient
    public var demand: Subscribers.Demand { source.openDemand }

    /// Sets a closure that is called whenever values are requested, with their number.
    ///
    /// It replaces the closure that was set before. Demand that has been neither met nor reported yet is reported at
    /// once. `.unlimited` is reported once; later requests are not reported.
    ///
    /// The closure is called on the thread that requests, or, for a request during a delivery, on the thread that
    /// delivers, after the delivery. Two calls never overlap or nest: demand that is added while the closure runs, even
    /// by the values that it sends, is reported when it has returned. The closure is released at the end.
    ///
    /// - Parameter action: A closure that starts to make values, or makes them.
    @_alwaysEmitIntoClient
    public func onDemand(_ action: @escaping (_ demand: Subscribers.Demand) -> Void) {
      source.setOnDemand(action)
    }

    /// Sets a closure that is called once, when the subscriber cancels before the end.
    ///
    /// It replaces the closure that was set before, runs after the cleanup, and is called at once if the subscriber has
    /// cancelled already. For cleanup that is needed after a completion as well, use the cancellable that the closure
    /// of `create` returns.
    ///
    /// - Parameter action: The closure to call.
    @_alwaysEmitIntoClient
    public func onCancel(_ action: @escaping () -> Void) { source.setOnCancel(action) }
  }
}

extension Publishers.Emitter where Output == Void {
  /// Delivers a value, or stores it until it is requested.
  @_alwaysEmitIntoClient
  public func send() { send(()) }
}

extension Publishers.Emitter: Sendable where Output: Sendable {}
