// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Optional {
  /// A publisher that delivers the value of an optional, if there is one, and finishes.
  ///
  /// ```swift
  /// let cancellable = Int("12").publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "12", "finished" on two lines. Int("x").publisher would print "finished" alone.
  /// ```
  ///
  /// Most operators have a variant on this type that runs at once; see ``Just``.
  ///
  /// **Demand:** a value waits for the first request, of any size. Later requests have no effect; `request(.none)`
  /// traps. `nil` needs no request.
  ///
  /// **Completion:** `.finished`, after the value or at once. A cancel during the delivery of the value suppresses it;
  /// Combine sends it nevertheless.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the value is delivered on the thread that requests it. If several threads request it, one of them
  /// delivers.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value that the publisher delivers, if there is one.
    public let output: Output?

    /// Creates a publisher of an optional.
    ///
    /// - Parameter output: The optional value.
    @_alwaysEmitIntoClient
    public init(_ output: Output?) {
      self.output = output
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      if let output {
        attachOnce(output, name: "Optional", to: subscriber)
      } else {
        attachNothing(ending: .finished, to: subscriber)
      }
    }

    @inlinable @inline(__always)
    public static var _offer: _Offer { .values }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Wrapped, Target.Failure == Never {
      guard target._isReady else { return target._subscribe(to: self) }
      guard let output else { return target._receive(completion: .finished) }
      return target._receive(only: output)
    }
  }

  /// A publisher that delivers the value of this optional, if there is one, and finishes.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Optional.Publisher`.
  // Disfavoured, because packages that support systems older than this property bring one of their own, which has to
  // win.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public var publisher: Publisher {
    Publisher(self)
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}
