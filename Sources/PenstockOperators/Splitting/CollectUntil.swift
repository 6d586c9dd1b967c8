// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects values into arrays, each of which ends when another publisher delivers a value.
  ///
  /// ![At each signal, what has been collected is published; at one without a value before it, nothing
  /// is.](collect-until)
  ///
  /// A signal publishes the values that have arrived since the previous signal; if there are none, it has no effect, so
  /// that no array is empty.
  ///
  /// ```swift
  /// let (values, flush) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = values.collect(until: flush).sink { print($0) }
  /// values.send(1)
  /// values.send(2)
  /// flush.send()
  /// flush.send()
  /// values.send(3)
  /// values.send(completion: .finished)
  /// // Prints "[1, 2]", "[3]" on two lines.
  /// ```
  ///
  /// This publisher is subscribed to first, so a signal that arrives at once ends an array with its current value.
  ///
  /// **Demand:** an array uses up demand. While arrays are wanted, values are requested from upstream one at a time;
  /// nothing is requested while none is wanted. Unlimited values are requested if downstream requests unlimited arrays,
  /// and from the trigger at once. An array that has not been requested when its signal arrives stays open: the value
  /// that was requested before may still join it, and further signals change nothing. So upstream waits, and the array
  /// does not grow without demand. `request(.none)` traps.
  ///
  /// **Completion:** when upstream or the trigger has finished, which cancels the other one: the values collected so
  /// far are published first, and wait until they are requested. Put `append(Empty(completeImmediately: false))` after
  /// a trigger whose end should not end the stream.
  ///
  /// **Failure:** a failure of either is forwarded at once, and cancels the other; the values collected so far are
  /// dropped.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time.
  ///
  /// A publisher that does not wait for demand, such as a subject, drops values while no array is wanted:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// Use `collect(_:options:)` for regular periods of time, ``collect(while:)`` if a value says that an array ends, and
  /// ``sample(_:)`` for the latest value only.
  ///
  /// - Parameter trigger: The publisher whose values end an array.
  /// - Returns: A publisher of arrays.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func collect<Trigger: Publisher>(until trigger: Trigger) -> Publishers.Lifted<[Output], Failure>
  where Trigger.Failure == Failure {
    steered(by: trigger, CollectUntilStage())
  }
}

/// The stage of `collect(until:)`.
@usableFromInline
internal struct CollectUntilStage<Input, Signal, Failure: Error>: SteeredStage {
  @usableFromInline internal typealias Output = [Input]

  @usableFromInline internal var chunk: [Input] = []

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "CollectUntil" }

  @inlinable
  internal static var rules: SteeredRules { SteeredRules(demand: .whileUnmet, subscribesToSignalsFirst: false) }

  @inlinable
  internal mutating func receive(_ input: Input) -> Verdict<[Input], Failure> {
    chunk.append(input)
    return .absorb
  }

  @inlinable
  internal mutating func receive(signal: Signal) -> Verdict<[Input], Failure> {
    takeRest().map { .emit($0) } ?? .absorb
  }

  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<[Input], Failure> {
    .complete(signalCompletion)
  }

  @inlinable
  internal mutating func takeRest() -> [Input]? { chunk.isEmpty ? nil : exchange(&chunk, with: []) }

  @inlinable
  internal static func join(_ output: [Input], to kept: inout [Input]) { kept += output }

  @inlinable
  internal func noteWaiting(in link: BaseSubscription) { link.noteDiscards(of: chunk, .ended) }

  @inlinable
  internal static func noteKept(_ output: [Input], in link: BaseSubscription) { link.noteDiscards(of: output, .ended) }

  @inlinable
  internal mutating func discard() { dispose(of: exchange(&chunk, with: [])) }
}
