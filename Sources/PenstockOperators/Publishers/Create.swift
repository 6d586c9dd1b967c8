// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension AnyPublisher {
  /// Publishes the values that a closure sends; the closure is called, and its result cancelled, once for each
  /// subscriber.
  ///
  /// Use it to make a publisher of anything that calls back. The closure gets an emitter to send values to, and returns
  /// a cancellable that stops the source.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let even = AnyPublisher<Int, Never>.create { emitter in
  ///   emitter.send(0)
  ///   return subject.sink { if $0.isMultiple(of: 2) { emitter.send($0) } }
  /// }
  /// let cancellable = even.sink { print($0) }
  /// for number in 1...4 { subject.send(number) }
  /// cancellable.cancel()
  /// subject.send(6)
  /// // Prints "0", "2", "4" on three lines.
  /// ```
  ///
  /// The closure is called when the subscriber has its subscription, and not at all if it has cancelled by then. The
  /// cancellable is cancelled exactly once: when the subscriber cancels, or when the emitter has sent the completion,
  /// before the completion is delivered. If either happens while the closure runs, the cancellable is cancelled when
  /// the closure returns. After a cancel nothing is delivered, however long the source continues.
  ///
  /// **Demand:** counted. A value that has not been requested is stored, up to `bufferSize`; `whenFull` says what
  /// happens to a value that does not fit. A requested value that only waits for another delivery to end takes no
  /// space. A source that can wait uses ``PenstockCore/Publishers/Emitter/isReady`` and
  /// ``PenstockCore/Publishers/Emitter/onDemand(_:)``. `request(.none)` traps.
  ///
  /// **Completion:** the first completion that the emitter sends is delivered after the stored values; it needs no
  /// request.
  ///
  /// **Failure:** as for a completion. With `.customError`, a value that does not fit ends the source, and the error
  /// follows the stored values.
  ///
  /// **Concurrency:** the closure runs on the thread that subscribes. Any thread may send; values are delivered one at
  /// a time, on the thread that sends, or on one that is delivering, or, if they were stored, on the one that requests.
  /// A value that is sent during a delivery is delivered after it, and not within it as a subject would do.
  ///
  /// **Traps:** a negative size.
  ///
  /// Use `PassthroughSubject` for values that exist without a subscriber, `Future` for one value, and
  /// ``PenstockCore/Publishers/generate(state:next:)`` where each value is made on request.
  ///
  /// - Parameters:
  ///   - bufferSize: The maximum number of values that wait to be requested; by default there is no limit. With 0, a
  ///     value that has not been requested does not fit.
  ///   - whenFull: The strategy for a value that does not fit.
  ///   - attach: A closure that starts to send into an emitter, and returns a cancellable that stops it.
  /// - Returns: A publisher that calls the closure for each subscriber.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func create(
    bufferSize: Int = .max, whenFull: Publishers.BufferingStrategy<Failure> = .dropNewest,
    _ attach: @escaping (_ emitter: Publishers.Emitter<Output, Failure>) -> any Cancellable
  ) -> AnyPublisher<Output, Failure> {
    if bufferSize < 0 { trap(.negativeCount(operator: "create")) }
    return AnyPublisher(EmitterPublisher(size: bufferSize, whenFull: whenFull, attach: attach))
  }
}

/// The publisher that `create` erases.
@usableFromInline
internal struct EmitterPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline internal let size: Int
  @usableFromInline internal let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline internal let attach: (Publishers.Emitter<Output, Failure>) -> any Cancellable

  @inlinable
  internal init(
    size: Int, whenFull: Publishers.BufferingStrategy<Failure>,
    attach: @escaping (Publishers.Emitter<Output, Failure>) -> any Cancellable
  ) {
    self.size = size
    self.whenFull = whenFull
    self.attach = attach
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    EmitterSource(size: size, whenFull: whenFull).start(subscriber.erased(), attach)
  }
}
