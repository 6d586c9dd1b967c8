// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets the first values through, and ends the stream with the last of them.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.prefix(2).sink { print($0) }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, even where it is for more values than can go through.
  ///
  /// **Completion:** the last value is delivered, then upstream is cancelled, then the stream finishes. `prefix(0)`
  /// finishes with the first value or completion from upstream. Upstream's own `.finished` is forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a negative length.
  ///
  /// - Parameter maxLength: The largest number of values.
  /// - Returns: A publisher of at most that many values.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    if maxLength < 0 { trap(.negativeCount(operator: "prefix")) }
    return Publishers.Output(upstream: self, range: 0..<maxLength)
  }

  /// Lets one value through, by its position, and ends the stream with it.
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "c"].publisher.output(at: 1).sink { print($0) }
  /// // Prints "b"
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value before the position, one more is asked for.
  ///
  /// **Completion:** the value is delivered, then upstream is cancelled, then the stream finishes. Upstream's own
  /// `.finished`, if it comes before, is forwarded: there is no value then.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a negative position, and `Int.max`.
  ///
  /// - Parameter index: The position, counted from 0.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func output(at index: Int) -> Publishers.Output<Self> {
    if index < 0 || index == .max { trap(.boundOutOfRange(operator: "output(at:)")) }
    return Publishers.Output(upstream: self, range: index..<(index + 1))
  }

  /// Lets the values at some positions through, and ends the stream with the last of them.
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "c", "d"].publisher.output(in: 1...2).sink { print($0) }
  /// // Prints "b", "c" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value before the range, one more is asked for.
  ///
  /// **Completion:** the last value is delivered, then upstream is cancelled, then the stream finishes. With an empty
  /// range it finishes with the first value or completion from upstream. Upstream's own `.finished` is forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// **Traps:** a range with a negative bound, and one that includes `Int.max`.
  ///
  /// - Parameter range: The positions, counted from 0.
  /// - Returns: A publisher of the values at those positions.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    if range.lowerBound < 0 { trap(.boundOutOfRange(operator: "output(in:)")) }
    return Publishers.Output(upstream: self, range: range)
  }
}

extension Publishers {
  /// A publisher of the values of another at some positions; see ``Publisher/output(in:)``.
  public struct Output<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are counted.
    public let upstream: Upstream

    /// The positions of the values that go through.
    public let range: CountableRange<Int>

    /// Makes a publisher of the values of another at some positions.
    ///
    /// **Traps:** a range with a negative bound.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      if range.lowerBound < 0 { trap(.boundOutOfRange(operator: "Output")) }
      self.upstream = upstream
      self.range = range
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Managed(OutputStage<_, Passing<Failure>>(range), to: subscriber))
    }
  }
}

@usableFromInline
internal final class OutputStage<Input, Channel: ForwardingChannel>: ManagedStage
where Channel.Thrown == Never {
  @usableFromInline internal let range: Range<Int>
  /// The position of the next value; accessed only while upstream delivers, serially.
  @exclusivity(unchecked) @usableFromInline internal var position = 0

  @inlinable
  internal init(_ range: Range<Int>) {
    self.range = range
  }

  @inlinable
  internal static var name: String { "Output" }

  /// Values are counted and delivered in every state of the stream, as in Combine.
  @inlinable
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsNothing: true)
  }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input> {
    if range.isEmpty { return .finish }
    if position >= range.upperBound { return .swallow }
    defer { position += 1 }
    if position < range.lowerBound { return .drop }
    return position + 1 == range.upperBound ? .emitAndFinish(input) : .emit(input)
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publishers.Output: Sendable where Upstream: Sendable {}
