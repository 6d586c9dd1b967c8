// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Result {
  /// A publisher that delivers the value of a result, or fails with its error.
  ///
  /// ```swift
  /// let measured = Result<Int, any Error> { 12 }
  /// let cancellable = measured.publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "12", "finished" on two lines.
  /// ```
  ///
  /// Most operators have a variant on this type that runs at once; see ``Just``.
  ///
  /// **Demand:** a value waits for the first request, of any size. Later requests have no effect; `request(.none)`
  /// traps.
  ///
  /// **Completion:** `.finished` follows a value at once. A cancel during the delivery of the value suppresses it;
  /// Combine sends it nevertheless.
  ///
  /// **Failure:** right after the subscription, without demand.
  ///
  /// **Concurrency:** the value is delivered on the thread that requests it. If several threads request it, one of them
  /// delivers.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Success

    /// The result that the publisher delivers.
    public let result: Result<Output, Failure>

    /// Creates a publisher of a result.
    ///
    /// - Parameter result: The result to deliver.
    @_alwaysEmitIntoClient
    public init(_ result: Result<Output, Failure>) {
      self.result = result
    }

    /// Creates a publisher of one value.
    ///
    /// - Parameter output: The value to deliver.
    @_alwaysEmitIntoClient
    public init(_ output: Output) {
      self.init(.success(output))
    }

    /// Creates a publisher that fails.
    ///
    /// - Parameter failure: The error to fail with.
    @_alwaysEmitIntoClient
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      switch result {
      case .success(let output): attachOnce(output, name: "Once", to: subscriber)
      case .failure(let failure): attachNothing(ending: .failure(failure), to: subscriber)
      }
    }

    @inlinable @inline(__always)
    public static var _offer: _Offer { .values }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Output, Target.Failure == Failure {
      guard target._isReady else { return target._subscribe(to: self) }
      return target._receive(result)
    }
  }

  /// A publisher that delivers the value of this result, or fails with its error.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Result.Publisher`.
  @_alwaysEmitIntoClient
  public var publisher: Publisher {
    Publisher(self)
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result.Publisher: Sendable where Success: Sendable {}
