// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Equatable {
  /// Says whether any value equals a given one.
  ///
  /// `true` as soon as such a value comes; `false` when the stream has finished without one.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.map { $0 * 10 }.contains(30).sink { print($0) }
  /// // Prints "true"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The answer waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the answer. A `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the answer goes out where upstream delivers, or where it is requested.
  ///
  /// - Parameter output: The value to look for.
  /// - Returns: A publisher of one truth value.
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that says whether any value of another equals a given one; see ``Publisher/contains(_:)``.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The value to look for.
    public let output: Upstream.Output

    /// Makes a publisher that says whether any value of another equals a given one.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Bool {
      upstream.subscribe(Collecting(ContainsStage<_, Failure>(output), to: subscriber))
    }
  }
}

/// The stage of `contains(_:)`.
@usableFromInline
internal final class ContainsStage<Input: Equatable, Failure: Error>: CollectingStage {
  @usableFromInline internal typealias Channel = Passing<Failure>

  @usableFromInline internal let wanted: Input
  @exclusivity(unchecked) @usableFromInline internal var isFound = false

  @inlinable
  internal init(_ wanted: Input) {
    self.wanted = wanted
  }

  @inlinable
  internal static var name: String { "Contains" }

  @inlinable
  internal static var initial: Bool? { false }

  @inlinable
  internal func receive(_ input: Input) -> Bool {
    isFound = input == wanted
    return isFound
  }

  @inlinable
  internal var result: Bool? { isFound }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
