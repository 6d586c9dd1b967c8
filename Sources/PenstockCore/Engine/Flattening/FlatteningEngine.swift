// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The state of an operator that turns values into publishers and runs several of them: the part that is particular to
/// it.
///
/// Stored by a ``FlatteningSubscriber``, as a ``FanInEngine`` is by its shape. The engine may be in another module.
@usableFromInline
package protocol FlatteningEngine<Output, Failure>: ~Copyable {
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Stream: InnerStream

  /// The number of values that are requested from an inner publisher at first, unless unlimited values are.
  var prefetch: Subscribers.Demand { get }

  /// Makes the stream of upstream's next value, and counts it, unless it has been counted; called where upstream delivers,
  /// outside the loop.
  static func makeStream(in shape: FlatteningSubscriber<Self, Output, Failure>) -> Stream

  // Called by the owner of the loop, while the stream is open.

  /// Adds to downstream's demand, and serves it.
  static func add(_ demand: Subscribers.Demand, in shape: FlatteningSubscriber<Self, Output, Failure>)

  /// Handles a value of an inner stream.
  ///
  /// - Returns: The additional demand for that stream.
  static func take(
    _ input: Output, from stream: Stream, in shape: FlatteningSubscriber<Self, Output, Failure>
  ) -> Subscribers.Demand

  /// Called when an inner stream has finished, and has been counted.
  static func end(_ stream: Stream, in shape: FlatteningSubscriber<Self, Output, Failure>)

  /// Called when upstream has finished.
  static func endUpstream(in shape: FlatteningSubscriber<Self, Output, Failure>)

  /// Discards what was kept for later delivery.
  ///
  /// Called once, by the owner of the loop, when no delivery is running and none will start.
  static func discard(in shape: FlatteningSubscriber<Self, Output, Failure>)
}
