// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers a given value where the stream finishes without any.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.filter { $0 > 5 }.replaceEmpty(with: 0).sink { print($0) }
  /// // Prints "0"
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. The given value waits until something has been asked for. `request(.none)`
  /// traps. Combine asks upstream for everything, whatever has been asked for, and so delivers more than that.
  ///
  /// **Completion:** forwarded after a value; otherwise it follows the given value. A cancel drops a value that waits.
  ///
  /// **Failure:** forwarded at once, whether there were values or not.
  ///
  /// **Concurrency:** adds no thread; the given value goes out where upstream finishes, or where it is requested.
  ///
  /// - Parameter output: The value for an empty stream.
  /// - Returns: A publisher that delivers at least one value or fails.
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that delivers a given value where another finishes without any; see
  /// ``Publisher/replaceEmpty(with:)``.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The value for an empty stream.
    public let output: Upstream.Output

    /// The publisher that may be empty.
    public let upstream: Upstream

    /// Makes a publisher that delivers a given value where another finishes without any.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Substituting(EmptyReplaced<Failure>.self, output: output, to: subscriber))
    }
  }
}

/// The rule of `replaceEmpty`: the output takes the place of `.finished`, if there was no value.
@usableFromInline
internal enum EmptyReplaced<Failure: Error>: SubstitutionRule, Sendable {
  @inlinable
  internal static var name: String { "ReplaceEmpty" }

  /// Not counted: the output is delivered only if there was no value, so no value has used up demand.
  @inlinable
  internal static var countsDemand: Bool { false }

  @inlinable
  internal static func judge(
    _ completion: Subscribers.Completion<Failure>, isEmpty: Bool
  ) -> Subscribers.Completion<Failure>? {
    if isEmpty, case .finished = completion { nil } else { completion }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
