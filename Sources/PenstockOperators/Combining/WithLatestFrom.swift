// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Combines each value with the latest value of another publisher.
  ///
  /// ![Each value of upstream is published together with the latest of the other.](with-latest-from-transform)
  ///
  /// Only this publisher's values cause an output. A value that arrives before the other publisher's first is left out.
  ///
  /// ```swift
  /// let (taps, level) = (PassthroughSubject<String, Never>(), PassthroughSubject<Int, Never>())
  /// let cancellable = taps.withLatestFrom(level) { "\($0) at \($1)" }.sink { print($0) }
  /// taps.send("first")
  /// level.send(1)
  /// taps.send("second")
  /// level.send(2)
  /// level.send(3)
  /// taps.send("third")
  /// // Prints "second at 1", "third at 3" on two lines.
  /// ```
  ///
  /// The other publisher is subscribed to first, so its current value applies to this publisher's first value.
  ///
  /// **Demand:** passed to upstream; for a value that is left out, one more is requested. Unlimited values are requested
  /// from the other publisher. `request(.none)` traps.
  ///
  /// **Completion:** upstream's completion is forwarded, and cancels the other publisher. When the other publisher
  /// finishes, its latest value stays in use; if it never had one, upstream is cancelled and this publisher finishes.
  ///
  /// **Failure:** a failure of either is forwarded, and cancels the other.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time. What the
  /// closure itself causes either publisher to send is handled after the closure's result has been delivered.
  ///
  /// Use `combineLatest` when a value of either publisher has to cause an output, and `zip` when each value is used
  /// once.
  ///
  /// - Parameters:
  ///   - other: The publisher whose latest value is used.
  ///   - transform: A closure that makes an output of a value and the other publisher's latest.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, _ transform: @escaping (Output, Other.Output) -> Result
  ) -> Publishers.Lifted<Result, Failure> where Other.Failure == Failure {
    steered(by: other, WithLatestFromStage(transform))
  }

  /// Publishes the latest value of another publisher whenever this publisher delivers a value.
  ///
  /// ![Each value of upstream is published with the latest of the other. Values of the other alone publish
  /// nothing.](with-latest-from)
  ///
  /// It works as ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>`` with a closure that ignores this publisher's value.
  ///
  /// ```swift
  /// let (save, text) = (PassthroughSubject<Void, Never>(), CurrentValueSubject<String, Never>("draft"))
  /// let cancellable = save.withLatestFrom(text).sink { print($0) }
  /// save.send()
  /// text.value = "final"
  /// save.send()
  /// // Prints "draft", "final" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  ///
  /// Use ``sample(_:)`` on the other publisher to leave out a value that has been published already.
  ///
  /// - Parameter other: The publisher whose latest value is published.
  /// - Returns: A publisher of the other publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<Other: Publisher>(_ other: Other) -> Publishers.Lifted<Other.Output, Failure>
  where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }
}

/// The stage of `withLatestFrom`.
@usableFromInline
internal struct WithLatestFromStage<Input, Signal, Output, Failure: Error>: SteeredStage {
  @usableFromInline internal let transform: (Input, Signal) -> Output
  @usableFromInline internal var latest: Signal?

  @inlinable
  internal init(_ transform: @escaping (Input, Signal) -> Output) { self.transform = transform }

  @inlinable
  internal static var name: String { "WithLatestFrom" }

  @inlinable
  internal static var rules: SteeredRules { SteeredRules(demand: .forwarded) }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Failure> {
    guard let latest else { return .skip }
    return .emit(transform(input, latest))
  }

  @inlinable
  internal mutating func receive(signal: Signal) -> Verdict<Output, Failure> {
    dispose(of: displace(&latest, with: signal))
    return .absorb
  }

  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<Output, Failure> {
    if case .finished = signalCompletion, latest != nil { return .absorb }
    return .complete(signalCompletion)
  }

  @inlinable
  internal mutating func discard() { dispose(of: displace(&latest, with: nil)) }
}
