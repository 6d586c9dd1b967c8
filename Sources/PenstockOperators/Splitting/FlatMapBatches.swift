// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Collection where Element: Publisher {
  /// Subscribes to these publishers in batches, one batch after the other, and collects the values of each batch.
  ///
  /// ![Two publishers run at a time. When both have finished, their values are published together, and the next two
  /// are subscribed to.](flat-map-batches)
  ///
  /// The publishers of a batch run at the same time. When the last of them has finished, one array is published, with
  /// the values in the order of the publishers; it is empty if there were no values. Then the next batch is subscribed
  /// to.
  ///
  /// ```swift
  /// let cancellable = (1...5).map { Just($0) }.flatMapBatches(of: 2).sink { print($0) }
  /// // Prints "[1, 2]", "[3, 4]", "[5]" on three lines.
  /// ```
  ///
  /// **Demand:** an array uses up demand. The first batch is subscribed to at once, each later one when the array of
  /// the previous batch has been delivered. Everything is requested from its publishers, and kept until the batch has
  /// finished. `request(.none)` traps.
  ///
  /// **Completion:** after the array of the last batch; at once if there are no publishers.
  ///
  /// **Failure:** a failure of any publisher is forwarded at once, and cancels the others of its batch; the values of the
  /// batch are dropped, and further batches are not subscribed to.
  ///
  /// **Concurrency:** the publishers may deliver on different threads; downstream receives one signal at a time.
  ///
  /// **Traps:** a count below 1.
  ///
  /// Use ``zip()`` to wait for one value of each publisher, ``concat()`` for one publisher at a time, and `collect(_:)`
  /// with `concatMap(_:)` for batches of publishers that a stream delivers.
  ///
  /// - Parameter count: The number of publishers that run at the same time.
  /// - Returns: A publisher of the values of each batch.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func flatMapBatches(of count: Int) -> Publishers.Lifted<[Element.Output], Element.Failure> {
    if count < 1 { trap(.countBelowOne(operator: "flatMapBatches(of:)")) }
    let publishers = Array(self)
    let batches = stride(from: 0, to: publishers.count, by: count).map {
      Array(publishers[$0..<Swift.min($0 + count, publishers.count)])
    }
    return batches.publisher.setFailureType(to: Element.Failure.self).concatMap { batch in
      batch.publisher.setFailureType(to: Element.Failure.self)
        .flatMapSequential(prefetch: .max) { $0 }
        .collect()
    }
  }
}
