// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Stores values that downstream has not requested yet, up to a high mark, and asks for more at a low mark.
  ///
  /// ![Three values are requested and stored. More are requested when no more than one of them is left.](buffer-up-to)
  ///
  /// A producer that works best in batches, such as one that reads from a disk or a service, fills the buffer, and
  /// rests until most of it has been used up. With `buffer(size:prefetch:whenFull:)`, each delivery would request one
  /// more value from it.
  ///
  /// ```swift
  /// let sink = (1...9).publisher
  ///   .handleEvents(receiveRequest: { print("requested:", $0) })
  ///   .buffer(upTo: 4, resumingAt: 1)
  ///   .pausableSink(receiveCompletion: { _ in }, receiveValue: { print($0); return false })
  /// for _ in 1...2 { sink.resume() }
  /// // Prints "requested: max(4)", "1", "2", "3", "requested: max(3)" on five lines.
  /// ```
  ///
  /// A requested value is delivered at once if no other value waits before it. No value is dropped, and values stay in
  /// order.
  ///
  /// **Demand:** at the subscription, and whenever no more than `low` values are waiting or still to come, upstream is
  /// asked for enough values to bring that number up to `high`. So no more than `high` values wait. If a publisher that
  /// does not count demand delivers more, these wait, too, and count. `request(.none)` traps.
  ///
  /// **Completion:** delivered after the last value that waits. A cancel drops the values that wait.
  ///
  /// **Failure:** as for a completion: the values before it are delivered first.
  ///
  /// **Concurrency:** values and requests may arrive on different threads. One thread delivers at a time; that thread
  /// also handles a value or request that arrives on another one.
  ///
  /// **Traps:** a `high` below 1, and a `low` that is negative or not below `high`.
  ///
  /// Use ``buffer(weight:resumingAt:weightOf:)`` where values differ in size, `buffer(size:prefetch:whenFull:)` for a source
  /// that cannot wait, and ``limitRequests(to:refillAt:)`` to store nothing.
  ///
  /// - Parameters:
  ///   - high: The number of values up to which upstream is asked for more.
  ///   - low: The number of values at which it is asked again; `nil` for a quarter of `high`.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func buffer(upTo high: Int, resumingAt low: Int? = nil) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(
      WatermarkPublisher(
        upstream: map { Weighed($0, weight: 1) }, marks: marks(high, low, isWeighted: false, of: "upTo"),
        name: "BufferUpTo"))
  }

  /// Stores values that downstream has not requested yet, up to a high mark of their weight, and asks for more at a low mark.
  ///
  /// ![A number is as heavy as it is large. No more are requested while 5 or more wait, until no more than 2
  /// do.](buffer-weight)
  ///
  /// For values that differ in size: the limit counts bytes, for example, and not pieces.
  ///
  /// ```swift
  /// let sink = [3, 4, 1, 2, 5].publisher
  ///   .handleEvents(receiveOutput: { print("read", $0) })
  ///   .buffer(weight: 5, resumingAt: 2) { $0 }
  ///   .pausableSink(receiveCompletion: { _ in }, receiveValue: { print($0); return false })
  /// sink.resume()
  /// // Prints "read 3", "3", "read 4", "read 1", "4", "read 2", "read 5" on seven lines.
  /// ```
  ///
  /// It works as ``buffer(upTo:resumingAt:)``, where each value weighs 1.
  ///
  /// **Demand:** one value at a time is requested from upstream, since its weight is not known in advance: as long as
  /// the values that wait weigh less than `high`, and after that again when they weigh no more than `low`. So the last
  /// value may take their weight above `high`, by less than its own weight. A value that weighs nothing does not count,
  /// so any number of such values may wait. `request(.none)` traps.
  ///
  /// **Completion:**, **Failure:** as for ``buffer(upTo:resumingAt:)``.
  ///
  /// **Concurrency:** as there. `weightOf` is called once for each value, on the thread on which upstream delivers.
  ///
  /// **Traps:** a `high` below 1, a `low` that is negative or not below `high`, and a value whose weight is negative.
  ///
  /// Use ``collect(upTo:weight:within:scheduler:options:weightOf:)`` to publish several values as one.
  ///
  /// - Parameters:
  ///   - high: The weight up to which upstream is asked for more.
  ///   - low: The weight at which it is asked again; `nil` for a quarter of `high`.
  ///   - weightOf: A closure that returns the weight of a value.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func buffer(
    weight high: Int, resumingAt low: Int? = nil, weightOf: @escaping (Output) -> Int
  ) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(
      WatermarkPublisher(
        upstream: map { value in
          let weight = weightOf(value)
          require(
            weight >= 0, of: "buffer(weight:resumingAt:weightOf:)", rule: "weights of 0 or more", given: weight)
          return Weighed(value, weight: weight)
        }, marks: marks(high, low, isWeighted: true, of: "weight"), name: "BufferWeight"))
  }
}

/// Returns the marks that a caller has given, if they are valid.
///
/// - Parameter label: The label of the high mark, for the message.
@usableFromInline
internal func marks(_ high: Int, _ low: Int?, isWeighted: Bool, of label: String) -> Watermarks {
  require(high >= 1, of: "buffer(\(label):)", rule: "a high mark of 1 or more", given: high)
  let low = low ?? high / 4
  require(
    low >= 0 && low < high, of: "buffer(\(label):resumingAt:)", rule: "a low mark of 0 or more, and below the high one",
    given: low)
  return Watermarks(high: high, low: low, isWeighted: isWeighted)
}
