// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects neighbouring values into arrays, as long as two neighbours belong together.
  ///
  /// ![A new array begins where a value is not greater than the one before.](chunked-by)
  ///
  /// The predicate is called with each pair of neighbours. When it returns `false`, the collected array is published,
  /// and the second value begins the next array. So an array is published when the value after it arrives, and no array
  /// is empty.
  ///
  /// ```swift
  /// let cancellable = [10, 20, 30, 10, 40, 40, 10].publisher.chunked(by: <=).sink { print($0) }
  /// // Prints "[10, 20, 30]", "[10, 40, 40]", "[10]" on three lines.
  /// ```
  ///
  /// **Demand:** an array uses up demand. While arrays are wanted, values are requested from upstream one at a time;
  /// nothing is requested while none is wanted, so that an unfinished array waits, and upstream with it. Unlimited
  /// values are requested if downstream requests unlimited arrays. Only the predicate bounds the size of an array.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after the values collected so far, which wait until an array is requested.
  ///
  /// **Failure:** forwarded at once; the values collected so far are dropped, as by `collect(_:)`.
  ///
  /// **Concurrency:** adds no thread; arrays are delivered on the thread on which upstream delivers, or on the one that
  /// requests the last of them. The predicate is called on upstream's thread.
  ///
  /// A publisher that does not wait for demand, such as a subject, drops values while no array is wanted:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// Write the label: for a trailing closure the compiler has to find out whether this operator or ``chunked(on:)`` is
  /// meant, which takes it too long if an expression has several of them.
  ///
  /// Use ``chunked(on:)`` to compare a key of each value, ``collect(while:)`` to end an array with its last value, and
  /// `collect(_:)` for arrays of a number of values.
  ///
  /// - Parameter belongInSameChunk: A closure that returns whether a value belongs to the same array as the one before it.
  /// - Returns: A publisher of arrays.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func chunked(
    by belongInSameChunk: @escaping (Output, Output) -> Bool
  ) -> Publishers.Lifted<[Output], Failure> {
    lift { ChunkedByStage<Output, Failure>(belongInSameChunk) }
  }
}

/// The stage of `chunked(by:)`.
@usableFromInline
internal final class ChunkedByStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let belongInSameChunk: (Input, Input) -> Bool
  @exclusivity(unchecked) @usableFromInline internal var chunk: [Input] = []

  @inlinable
  internal init(_ belongInSameChunk: @escaping (Input, Input) -> Bool) { self.belongInSameChunk = belongInSameChunk }

  @inlinable
  internal static var name: String { "ChunkedBy" }

  @inlinable
  internal var demand: QueuedDemand { .whileUnmet }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<[Input], Failure> {
    // The predicate may send, and change the chunk: so it is called before the chunk is finally examined.
    guard let last = chunk.last, !belongInSameChunk(last, input) else {
      chunk.append(input)
      return .absorb
    }
    return .emit(exchange(&chunk, with: [input]))
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
