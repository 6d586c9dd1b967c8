// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The state of an operator with several upstreams: the part of it that is particular to the operator.
///
/// A structure that a ``FanInSubscriber``, its *shape*, stores, and that only the owner of the loop changes. The
/// operator's code is an extension of the shape with that engine, because a delivery may nest in another one: no access
/// to the state may last while something is delivered. The engine may be in another module.
///
/// Other threads may read its constants. The first variable belongs to the owner: to the thread sanitizer, a call of a
/// mutating function changes what is at the structure's address.
@usableFromInline
package protocol FanInEngine<Parameter, Failure>: ~Copyable {
  /// The type on which the state depends, such as that of the values.
  associatedtype Parameter
  /// The failure of the stream.
  associatedtype Failure: Error

  /// The places of the upstreams; read once, before any of them is subscribed to.
  var inlets: ContiguousArray<Inlet> { get }

  /// The upstream whose values are republished, where the others only control the stream.
  var main: Inlet? { get }

  /// Adds to downstream's demand, and serves it.
  ///
  /// Called by the owner of the loop, while the stream is open.
  static func add(_ demand: Subscribers.Demand, in shape: FanInSubscriber<Self, Parameter, Failure>)

  /// Called when downstream cancels, on any thread.
  static func cancel(in shape: FanInSubscriber<Self, Parameter, Failure>)

  /// Discards what was kept for later delivery.
  ///
  /// Called once, by the owner of the loop, when no delivery is running and none will start.
  static func discard(in shape: FanInSubscriber<Self, Parameter, Failure>)

  /// Describes the open stream for tools, on any thread.
  func show(in link: inout LinkState, of shape: FanInSubscriber<Self, Parameter, Failure>)
}

extension FanInEngine where Self: ~Copyable {
  /// Most operators republish the values of all upstreams.
  @_alwaysEmitIntoClient
  package var main: Inlet? { nil }

  /// For most operators the stream ends when downstream cancels.
  @_alwaysEmitIntoClient
  package static func cancel(in shape: FanInSubscriber<Self, Parameter, Failure>) { shape.cancelAll() }

  /// Many operators keep nothing.
  @_alwaysEmitIntoClient
  package static func discard(in shape: FanInSubscriber<Self, Parameter, Failure>) {}
}
