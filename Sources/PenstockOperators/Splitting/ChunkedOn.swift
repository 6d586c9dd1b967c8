// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects neighbouring values that have the same key into arrays, and publishes each array together with the key.
  ///
  /// ![A new array begins where the remainder changes.](chunked-on)
  ///
  /// A closure makes the key of a value. Only neighbours are compared: a key that occurs again later begins another
  /// array. An array is published when a value with another key arrives, and no array is empty.
  ///
  /// ```swift
  /// let cancellable = ["David", "Kyle", "Karoy", "Nate"].publisher.chunked(on: \.first!).sink { print($0, $1) }
  /// // Prints "D ["David"]", "K ["Kyle", "Karoy"]", "N ["Nate"]" on three lines.
  /// ```
  ///
  /// **Demand:** an array uses up demand. While arrays are wanted, values are requested from upstream one at a time;
  /// nothing is requested while none is wanted, so that an unfinished array waits, and upstream with it. Unlimited
  /// values are requested if downstream requests unlimited arrays. Only the values themselves bound the size of an
  /// array. `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after the values collected so far, which wait until an array is requested.
  ///
  /// **Failure:** forwarded at once; the values collected so far are dropped, as by `collect(_:)`.
  ///
  /// **Concurrency:** adds no thread; arrays are delivered on the thread on which upstream delivers, or on the one that
  /// requests the last of them. The closure is called once for each value, on upstream's thread.
  ///
  /// A publisher that does not wait for demand, such as a subject, drops values while no array is wanted:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// Write the label, as for ``chunked(by:)``.
  ///
  /// Use ``chunked(by:)`` to compare the values themselves, and
  /// ``grouped(by:maxGroups:buffer:whenFull:)`` for a publisher of all values with the same key.
  ///
  /// - Parameter projection: A closure that makes the key of a value.
  /// - Returns: A publisher of pairs: the key that the values have in common, and the values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func chunked<Key: Equatable>(
    on projection: @escaping (Output) -> Key
  ) -> Publishers.Lifted<(Key, [Output]), Failure> {
    lift { ChunkedOnStage<Output, Key, Failure>(projection) }
  }
}

/// The stage of `chunked(on:)`.
@usableFromInline
internal final class ChunkedOnStage<Input, Key: Equatable, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Output = (Key, [Input])
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let projection: (Input) -> Key
  @exclusivity(unchecked) @usableFromInline internal var chunk: (Key, [Input])?

  @inlinable
  internal init(_ projection: @escaping (Input) -> Key) { self.projection = projection }

  @inlinable
  internal static var name: String { "ChunkedOn" }

  @inlinable
  internal var demand: QueuedDemand { .whileUnmet }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<(Key, [Input]), Failure> {
    let key = projection(input)
    // A copy of the key: its `==` may send, and change the chunk.
    if let last = chunk?.0, last == key, chunk != nil {
      chunk!.1.append(input)
      return .absorb
    }
    return exchange(&chunk, with: (key, [input])).map { .emit($0) } ?? .absorb
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<(Key, [Input])>
  ) -> Subscribers.Completion<Failure> {
    if let rest = exchange(&chunk, with: nil) { outputs.append(rest) }
    return completion
  }
}
