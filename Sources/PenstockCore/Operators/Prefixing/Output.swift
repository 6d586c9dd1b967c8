// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes values up to a maximum number, and finishes.
  ///
  /// ![Two values pass, and upstream is cancelled.](prefix)
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.prefix(2).sink { print($0) }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, even if it is for more values than the maximum.
  ///
  /// **Completion:** after the last value, upstream is cancelled and the publisher finishes. `prefix(0)` finishes with
  /// the first value or completion from upstream. Upstream's own `.finished` is forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a negative number.
  ///
  /// Use ``first()`` for a single value, ``prefix(while:)`` to end by a predicate, and ``dropFirst(_:)`` for the values
  /// after.
  ///
  /// - Parameter maxLength: The maximum number of values.
  /// - Returns: A publisher of at most that many values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    if maxLength < 0 { trap(.negativeCount(operator: "prefix")) }
    return Publishers.Output(upstream: self, range: 0..<maxLength)
  }

  /// Publishes the value at an index, and finishes.
  ///
  /// ![The value at index 2 is published, and upstream is cancelled.](output-at)
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "c"].publisher.output(at: 1).sink { print($0) }
  /// // Prints "b"
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value before the index, one more is requested.
  ///
  /// **Completion:** after the value, upstream is cancelled and the publisher finishes. If upstream finishes before the
  /// value, its `.finished` is forwarded, and no value is published.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a negative index, and `Int.max`.
  ///
  /// Use ``output(in:)`` for a range of indices, and ``first()`` for the first value.
  ///
  /// - Parameter index: The index of the value; the first value has index 0.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func output(at index: Int) -> Publishers.Output<Self> {
    if index < 0 || index == .max { trap(.boundOutOfRange(operator: "output(at:)")) }
    return Publishers.Output(upstream: self, range: index..<(index + 1))
  }

  /// Publishes the values in a range of indices, and finishes.
  ///
  /// ![The values at the indexes 1 and 2 are published, and upstream is cancelled.](output-in)
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "c", "d"].publisher.output(in: 1...2).sink { print($0) }
  /// // Prints "b", "c" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value before the range, one more is requested.
  ///
  /// **Completion:** after the last value, upstream is cancelled and the publisher finishes. With an empty range it
  /// finishes with the first value or completion from upstream. Upstream's own `.finished` is forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a range with a negative bound, and one that includes `Int.max`.
  ///
  /// Use ``output(at:)`` for a single index, ``prefix(_:)`` for the first values, and ``dropFirst(_:)`` for the rest.
  ///
  /// - Parameter range: The range of indices; the first value has index 0.
  /// - Returns: A publisher of the values in that range.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    // A range may have been made without a check of its bounds.
    if range.lowerBound < 0 || range.upperBound < range.lowerBound { trap(.boundOutOfRange(operator: "output(in:)")) }
    return Publishers.Output(upstream: self, range: range)
  }
}

extension Publishers {
  /// A publisher of the upstream values in a range of indices; see ``Publisher/output(in:)``.
  public struct Output<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are counted.
    public let upstream: Upstream

    /// The range of indices to publish.
    public let range: CountableRange<Int>

    /// Creates a publisher of the upstream values in a range of indices.
    ///
    /// **Traps:** a range with a negative bound.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, range: CountableRange<Int>) {
      // A range may have been made without a check of its bounds.
      if range.lowerBound < 0 || range.upperBound < range.lowerBound { trap(.boundOutOfRange(operator: "Output")) }
      self.upstream = upstream
      self.range = range
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> OutputStage<Upstream.Output, PassingChannel<Failure>> {
      OutputStage(range)
    }
  }
}

extension Publishers.Output: ManagedOperator {}

@usableFromInline
internal final class OutputStage<Input, Channel: ForwardingChannel>: ManagedStage
where Channel.Thrown == Never {
  @usableFromInline internal let range: Range<Int>
  /// The position of the next value; accessed only while upstream delivers, serially.
  @exclusivity(unchecked) @usableFromInline internal var position = 0

  @_alwaysEmitIntoClient
  internal init(_ range: Range<Int>) {
    self.range = range
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Output" }

  /// Values are counted and delivered in every state of the stream, as in Combine.
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsZeroDemand: true)
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Channel.Downstream> {
    if range.isEmpty { return .finish }
    if position >= range.upperBound { return .absorb }
    defer { position += 1 }
    if position < range.lowerBound { return .skip }
    return position + 1 == range.upperBound ? .emitAndFinish(input) : .emit(input)
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publishers.Output: Sendable where Upstream: Sendable {}
