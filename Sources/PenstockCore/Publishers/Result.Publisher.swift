// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Result {
  /// A publisher of what a result has come to: one value, or a failure.
  ///
  /// ```swift
  /// let measured = Result<Int, any Error> { 12 }
  /// let cancellable = measured.publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "12", "finished" on two lines.
  /// ```
  ///
  /// Most operators have a form of their own here that runs at once; see ``Just``.
  ///
  /// **Demand:** a value waits for the first request, of any size. Later requests do nothing; `request(.none)` traps.
  ///
  /// **Completion:** `.finished` follows a value at once. A cancel from inside of the delivery of the value suppresses
  /// it, where Combine sends it all the same.
  ///
  /// **Failure:** right behind the subscription, without demand.
  ///
  /// **Concurrency:** the value is delivered on the thread that requests it. Of requests from several threads one
  /// delivers.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Success

    /// What there is to deliver.
    public let result: Result<Output, Failure>

    /// Makes a publisher of what a result has come to.
    ///
    /// - Parameter result: The result.
    @inlinable
    public init(_ result: Result<Output, Failure>) {
      self.result = result
    }

    /// Makes a publisher of one value.
    ///
    /// - Parameter output: The value.
    @inlinable
    public init(_ output: Output) {
      self.init(.success(output))
    }

    /// Makes a publisher that fails.
    ///
    /// - Parameter failure: What it fails with.
    @inlinable
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      switch result {
      case .success(let output): attachOnce(output, name: "Once", to: subscriber)
      case .failure(let failure): attachNothing(ending: .failure(failure), to: subscriber)
      }
    }
  }

  /// A publisher of what this result has come to: one value, or a failure.
  @inlinable
  public var publisher: Publisher {
    Publisher(self)
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result.Publisher: Sendable where Success: Sendable {}
