// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Optional {
  /// A publisher of what is in an optional: one value, or none.
  ///
  /// ```swift
  /// let cancellable = Int("12").publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "12", "finished" on two lines. Int("x").publisher would print "finished" alone.
  /// ```
  ///
  /// Most operators have a form of their own here that runs at once; see ``Just``.
  ///
  /// **Demand:** a value waits for the first request, of any size. Later requests do nothing; `request(.none)` traps.
  /// `nil` needs no request.
  ///
  /// **Completion:** `.finished`, behind the value or at once. A cancel from inside of the delivery of the value
  /// suppresses it, where Combine sends it all the same.
  ///
  /// **Concurrency:** the value is delivered on the thread that requests it. Of requests from several threads one
  /// delivers.
  public struct Publisher: PenstockCore.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value, if there is one.
    public let output: Output?

    /// Makes a publisher of what is in an optional.
    ///
    /// - Parameter output: The value, if there is one.
    @inlinable
    public init(_ output: Output?) {
      self.output = output
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      if let output {
        attachOnce(output, name: "Optional", to: subscriber)
      } else {
        attachNothing(ending: .finished, to: subscriber)
      }
    }
  }

  /// A publisher of what is in this optional: one value, or none.
  // Disfavoured, because packages that support systems older than this property bring one of their own, which has to win.
  @_disfavoredOverload
  @inlinable
  public var publisher: Publisher {
    Publisher(self)
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}
