// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers a given value where the stream fails, and finishes.
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "two", "3"].publisher
  ///   .tryMap { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number
  ///   }
  ///   .replaceError(with: -1)
  ///   .sink { print($0) }
  /// // Prints "1", "-1" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, and counted. The given value waits until it has been asked for.
  /// `request(.none)`, and a value that was not asked for, trap.
  ///
  /// **Completion:** forwarded. A cancel drops a value that waits.
  ///
  /// **Failure:** never fails: the given value and `.finished` take the place of a failure.
  ///
  /// **Concurrency:** adds no thread; the given value goes out where upstream fails, or where it is requested.
  ///
  /// - Parameter output: The value to deliver instead of a failure.
  /// - Returns: A publisher that cannot fail.
  @inlinable
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that delivers a given value where another fails; see ``Publisher/replaceError(with:)``.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    /// The value to deliver instead of a failure.
    public let output: Upstream.Output

    /// The publisher that may fail.
    public let upstream: Upstream

    /// Makes a publisher that delivers a given value where another fails.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == Never {
      upstream.subscribe(Substituting(ErrorReplaced<Upstream.Failure>.self, output: output, to: subscriber))
    }
  }
}

/// The rule of `replaceError`: the output takes the place of a failure.
@usableFromInline
internal enum ErrorReplaced<Failure: Error>: SubstitutionRule, Sendable {
  @inlinable
  internal static var name: String { "ReplaceError" }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal static func judge(
    _ completion: Subscribers.Completion<Failure>, isEmpty: Bool
  ) -> Subscribers.Completion<Never>? {
    switch completion {
    case .finished: .finished
    case .failure: nil
    }
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
