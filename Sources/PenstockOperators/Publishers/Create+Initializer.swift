// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension AnyPublisher {
  /// Creates a publisher of the values that a closure sends, as ``create(bufferSize:whenFull:_:)`` does.
  ///
  /// ```swift
  /// let numbers = AnyPublisher<Int, Never> { subscriber in
  ///   subscriber.send(1)
  ///   subscriber.send(completion: .finished)
  ///   return AnyCancellable {}
  /// }
  /// let cancellable = numbers.sink { print($0) }
  /// // Prints "1".
  /// ```
  ///
  /// Values that have not been requested are stored, without a limit; ``create(bufferSize:whenFull:_:)`` takes one.
  ///
  /// - Parameter attach: A closure that starts to send into an emitter, and returns a cancellable that stops it.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public init(_ attach: @escaping (_ emitter: Publishers.Emitter<Output, Failure>) -> any Cancellable) {
    self = .create(attach)
  }
}
