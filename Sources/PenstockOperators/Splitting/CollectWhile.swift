// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects values into arrays, each of which ends with the first value that does not satisfy a predicate.
  ///
  /// ![An array ends with a letter that is a dot.](collect-while)
  ///
  /// That value is the last of its array, and not the first of the next one: so an array is published as soon as it is
  /// complete, without waiting for the next value. No value is lost, and no array is empty.
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "\n", "\n", "c"].publisher.collect { $0 != "\n" }.sink { print($0) }
  /// // Prints "["a", "b", "\n"]", "["\n"]", "["c"]" on three lines.
  /// ```
  ///
  /// **Demand:** an array uses up demand. While arrays are wanted, values are requested from upstream one at a time;
  /// nothing is requested while none is wanted, so that upstream waits. Unlimited values are requested if downstream
  /// requests unlimited arrays. Only the predicate bounds the size of an array. `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after the values collected so far, which wait until an array is requested.
  ///
  /// **Failure:** forwarded at once; the values collected so far are dropped, as by `collect(_:)`.
  ///
  /// **Concurrency:** adds no thread; arrays are delivered on the thread on which upstream delivers, or on the one that
  /// requests the last of them. The predicate is called once for each value, on upstream's thread.
  ///
  /// A publisher that does not wait for demand, such as a subject, drops values while no array is wanted:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// Use ``chunked(by:)`` for arrays that begin with a certain value, and ``collect(until:)`` for arrays that another
  /// publisher ends.
  ///
  /// - Parameter predicate: A closure that returns whether the array continues after a value.
  /// - Returns: A publisher of arrays.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func collect(while predicate: @escaping (Output) -> Bool) -> Publishers.Lifted<[Output], Failure> {
    lift { CollectWhileStage<Output, Failure>(predicate) }
  }
}

/// The stage of `collect(while:)`.
@usableFromInline
internal final class CollectWhileStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let predicate: (Input) -> Bool
  @exclusivity(unchecked) @usableFromInline internal var chunk: [Input] = []

  @inlinable
  internal init(_ predicate: @escaping (Input) -> Bool) { self.predicate = predicate }

  @inlinable
  internal static var name: String { "CollectWhile" }

  @inlinable
  internal var demand: QueuedDemand { .whileUnmet }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<[Input], Failure> {
    let goesOn = predicate(input)
    chunk.append(input)
    return goesOn ? .absorb : .emit(exchange(&chunk, with: []))
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<[Input]>
  ) -> Subscribers.Completion<Failure> {
    let rest = exchange(&chunk, with: [])
    if !rest.isEmpty { outputs.append(rest) }
    return completion
  }
}
