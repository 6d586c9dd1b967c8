// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Merges the values that arrive while none is requested into one.
  ///
  /// ![While nothing is requested, the values are added up. The sum is published when it is requested.](coalesce)
  ///
  /// A subscriber that is slower than its source, and requests only what it can take, gets one value in place of those
  /// that have arrived meanwhile. While there is demand, each value is published as it is.
  ///
  /// ```swift
  /// let changes = PassthroughSubject<Set<String>, Never>()
  /// let sink = changes.coalesce { $0.union($1) }.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0.sorted()); return false })
  /// changes.send(["roof"])
  /// changes.send(["wall"])
  /// changes.send(["door", "wall"])
  /// sink.resume()
  /// // Prints "["roof"]", "["door", "wall"]" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream as soon as the subscriber has its subscription. At most
  /// one value waits. `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after the value that waits has been requested and delivered.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** `merge` is called on the thread on which upstream delivers, in the order of the values, and never
  /// under a lock. Deliveries do not overlap, and a value that waits is delivered by the thread that requests it. If a
  /// request on another thread meets a merge, the result of the merge is delivered. What `merge` itself causes upstream
  /// to send follows its result.
  ///
  /// Use ``coalesce(into:reduce:)`` to collect values in a value of another type, `buffer(size:prefetch:whenFull:)` to keep
  /// several values, and `throttle(for:scheduler:latest:)` for a rate.
  ///
  /// - Parameter merge: A closure that returns one value in place of the one that waits and the next one.
  /// - Returns: A publisher of values, merged where none was requested.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func coalesce(
    _ merge: @escaping (Output, Output) -> Output
  ) -> Publishers.Lifted<Output, Failure> {
    coalesced(by: CoalesceStage(merge: merge))
  }

  /// Reduces the values that arrive while none is requested into one result.
  ///
  /// ![Each request gets the values that have come since the one before, in an array.](coalesce-into)
  ///
  /// Each result begins with `initial`, and contains the values that have arrived since the previous result was
  /// delivered: several if nothing was requested, one while there is demand.
  ///
  /// ```swift
  /// let readings = PassthroughSubject<Int, Never>()
  /// let sink = readings.coalesce(into: []) { $0.append($1) }.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0); return false })
  /// for reading in 1...4 { readings.send(reading) }
  /// sink.resume()
  /// readings.send(completion: .finished)
  /// // Prints "[1]", "[2, 3, 4]", "finished" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``coalesce(_:)``, where `reduce` stands for
  /// `merge`. The size of a result is not limited: an array grows for as long as nothing is requested.
  ///
  /// - Parameters:
  ///   - initial: The result that the first value is added to.
  ///   - reduce: A closure that adds a value to a result.
  /// - Returns: A publisher of results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func coalesce<Result>(
    into initial: Result, reduce: @escaping (inout Result, Output) -> Void
  ) -> Publishers.Lifted<Result, Failure> {
    coalesced(by: CoalesceIntoStage(initial: initial, reduce: reduce))
  }
}

/// The stage of `coalesce`.
@usableFromInline
internal struct CoalesceStage<Input>: CoalescingStage {
  @usableFromInline internal let merge: (Input, Input) -> Input

  @inlinable
  internal init(merge: @escaping (Input, Input) -> Input) { self.merge = merge }

  @inlinable
  internal static var name: String { "Coalesce" }

  @inlinable
  internal static var beginsByCalling: Bool { false }

  @inlinable
  internal func begin(_ input: Input) -> Input { input }

  @inlinable
  internal func merge(_ input: Input, into output: inout Input) { output = merge(output, input) }
}

/// The stage of `coalesce(into:)`.
@usableFromInline
internal struct CoalesceIntoStage<Input, Output>: CoalescingStage {
  @usableFromInline internal let initial: Output
  @usableFromInline internal let reduce: (inout Output, Input) -> Void

  @inlinable
  internal init(initial: Output, reduce: @escaping (inout Output, Input) -> Void) {
    self.initial = initial
    self.reduce = reduce
  }

  @inlinable
  internal static var name: String { "Coalesce" }

  @inlinable
  internal static var beginsByCalling: Bool { true }

  @inlinable
  internal func begin(_ input: Input) -> Output {
    var output = initial
    reduce(&output, input)
    return output
  }

  @inlinable
  internal func merge(_ input: Input, into output: inout Output) { reduce(&output, input) }
}
