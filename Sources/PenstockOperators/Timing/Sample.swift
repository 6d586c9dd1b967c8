// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes the latest value whenever another publisher delivers one.
  ///
  /// ![At each signal, the latest value is published, if it is new.](sample)
  ///
  /// A value is published once: a signal without a new value since the previous one has no effect.
  ///
  /// ```swift
  /// let (position, tick) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = position.sample(tick).sink { print($0) }
  /// position.send(1)
  /// position.send(2)
  /// tick.send()
  /// tick.send()
  /// position.send(3)
  /// tick.send()
  /// // Prints "2", "3" on two lines.
  /// ```
  ///
  /// This publisher is subscribed to first, so a signal that arrives at once samples its current value.
  ///
  /// **Demand:** unlimited values are requested from upstream and from the signal. Samples are counted; of those that
  /// have not been requested, only the latest is kept, and delivered at the next request. `request(.none)` traps.
  ///
  /// **Completion:** a completion of either is forwarded, and cancels the other. A value that has not been sampled by
  /// then is dropped; a sample that waits for demand is delivered first.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use `throttle(for:scheduler:latest:)` to sample at an interval that begins with a value, and
  /// ``withLatestFrom(_:)`` to publish the latest value at each signal, new or not.
  ///
  /// - Parameter signal: The publisher whose values cause a sample.
  /// - Returns: A publisher of the samples.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func sample<Signal: Publisher>(_ signal: Signal) -> Publishers.Lifted<Output, Failure>
  where Signal.Failure == Failure {
    steered(by: signal, SampleStage())
  }
}

/// The stage of `sample`.
@usableFromInline
internal struct SampleStage<Input, Signal, Failure: Error>: SteeredStage {
  /// The latest value, unless it has been sampled.
  @usableFromInline internal var latest: Input?

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Sample" }

  @inlinable
  internal static var rules: SteeredRules { SteeredRules(demand: .countedKeeping, subscribesToSignalsFirst: false) }

  @inlinable
  internal mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
    dispose(of: displace(&latest, with: input))
    return .absorb
  }

  @inlinable
  internal mutating func receive(signal: Signal) -> Verdict<Input, Failure> {
    latest.take().map { .emit($0) } ?? .absorb
  }

  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<Input, Failure> {
    .complete(signalCompletion)
  }

  @inlinable
  internal var waiting: Input? { latest }

  @inlinable
  internal mutating func discard() { dispose(of: displace(&latest, with: nil)) }
}
