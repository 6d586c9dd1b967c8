// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects neighbouring values of which a closure makes the same into arrays, and publishes these together with it.
  ///
  /// ![A new array begins where the remainder changes.](chunked-on)
  ///
  /// Only neighbours are compared: what comes up again later begins another array. An array is published when a value of
  /// another one arrives, and no array is empty.
  ///
  /// ```swift
  /// let cancellable = ["David", "Kyle", "Karoy", "Nate"].publisher.chunked(on: \.first!).sink { print($0, $1) }
  /// // Prints "D ["David"]", "K ["Kyle", "Karoy"]", "N ["Nate"]" on three lines.
  /// ```
  ///
  /// **Demand:** an array uses up demand. While arrays are wanted, one value is requested from upstream at a time; nothing
  /// is requested while none is wanted, so that the array that has been begun waits, and upstream with it. Unlimited values
  /// are requested if downstream requests unlimited arrays. The size of an array has no bound but the values.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after what has been collected, which waits until it is requested.
  ///
  /// **Failure:** forwarded at once; what has been collected is dropped, as by `collect(_:)`.
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
  /// - Parameter projection: A closure that makes of a value what has to be the same in an array.
  /// - Returns: A publisher of pairs: what the values have in common, and the values.
  @_disfavoredOverload
  @inlinable
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
