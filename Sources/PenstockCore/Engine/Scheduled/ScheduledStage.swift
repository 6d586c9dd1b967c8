// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part that is particular to one operator that delivers on a scheduler; ``ScheduledSubscriber`` is the rest.
///
/// By default every signal is delivered in a block of its own, and requests are forwarded upstream: `receive(on:)` needs
/// only ``schedule(_:)``.
///
/// Upstream's signals are serial, but requests, cancels and scheduled blocks come on any thread: the state of a stage has
/// to be guarded. A stage with state is a noncopyable structure, which the shape stores inline. A block that calls the
/// stage captures the shape, and reaches the stage through it.
@usableFromInline
package protocol ScheduledStage<Input, Output, Failure>: ~Copyable {
  associatedtype Input = Output
  associatedtype Output
  associatedtype Failure: Error

  typealias Shape = ScheduledSubscriber<Self>

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether downstream's demand is counted, and ``prefetch`` is requested from upstream.
  ///
  /// Otherwise demand is forwarded, unless the stage implements ``request(_:in:)``.
  static var countsDemand: Bool { get }

  /// The demand that is requested from upstream after the introduction, where demand is counted: unlimited by default.
  var prefetch: Subscribers.Demand { get }

  /// Whether ``upstreamDemand(for:in:)`` is called after every delivery, also one that has returned no demand.
  static var followsDeliveries: Bool { get }

  /// Whether a cancel before upstream's subscription is remembered.
  static var remembersEarlyCancel: Bool { get }

  /// Whether downstream is released at the end of the stream, since blocks may keep the operator for long.
  static var releasesDownstream: Bool { get }

  /// Whether events wait for longer than the scheduler takes: that is what the operator is for.
  static var keepsForLong: Bool { get }

  /// Schedules a block that is due.
  func schedule(_ block: @escaping () -> Void)

  /// Called when upstream's subscription has arrived, before downstream gets its own.
  ///
  /// Values that become due meanwhile are delivered later.
  func begin(in shape: Shape)

  /// Receives a value, and returns the demand to return to upstream.
  func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand

  /// Whether many values are taken at a time, by ``receiveRun(_:in:)``, from a source that runs no code of the user's between
  /// them.
  static var takesRuns: Bool { get }

  /// The number of turns that one block may take.
  var turnsOfBlock: Int { get }

  /// Receives values as long as there is a next one.
  func receiveRun(_ next: () -> Input?, in shape: Shape)

  /// Receives the completion, after ``cancelTimers(in:)``; upstream's subscription has been released.
  func receive(completion: Subscribers.Completion<Failure>, in shape: Shape)

  /// Serves a request, on the requesting thread.
  func request(_ demand: Subscribers.Demand, in shape: Shape)

  /// Converts demand that a delivery has returned to the demand to request from upstream.
  func upstreamDemand(
    for returned: Subscribers.Demand, in shape: Shape
  ) -> Subscribers.Demand

  /// Cancels the stage's timers; called when upstream has completed, and before it is cancelled.
  func cancelTimers(in shape: Shape)

  /// Discards the values that will not be delivered; called when no delivery is running and none will start.
  func discard(in shape: Shape)

  /// Adds the stage's state to the state that the inspector shows.
  func show(in link: inout LinkState)

  /// The children that a debugger shows.
  func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)]
}

extension ScheduledStage where Self: ~Copyable {
  @_alwaysEmitIntoClient
  package static var countsDemand: Bool { false }

  @_alwaysEmitIntoClient
  package var prefetch: Subscribers.Demand { .unlimited }

  @_alwaysEmitIntoClient
  package static var followsDeliveries: Bool { false }

  @_alwaysEmitIntoClient
  package static var remembersEarlyCancel: Bool { false }

  @_alwaysEmitIntoClient
  package static var releasesDownstream: Bool { false }

  @_alwaysEmitIntoClient
  package static var keepsForLong: Bool { false }

  @_alwaysEmitIntoClient
  package func begin(in shape: Shape) {}

  @_alwaysEmitIntoClient
  package static var takesRuns: Bool { false }

  @_alwaysEmitIntoClient
  package var turnsOfBlock: Int { 1 }

  @inlinable
  package func receiveRun(_ next: () -> Input?, in shape: Shape) {
    while let input = next() { _ = receive(input, in: shape) }
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    shape.schedule(completion: completion)
  }

  @_alwaysEmitIntoClient
  package func request(_ demand: Subscribers.Demand, in shape: Shape) {
    if Self.countsDemand { shape.demand.add(demand) } else { shape.requestUpstream(demand) }
  }

  @_alwaysEmitIntoClient
  package func upstreamDemand(
    for returned: Subscribers.Demand, in shape: Shape
  ) -> Subscribers.Demand {
    guard Self.countsDemand else { return returned }
    shape.demand.add(returned)
    return .none
  }

  @_alwaysEmitIntoClient
  package func cancelTimers(in shape: Shape) {}

  @_alwaysEmitIntoClient
  package func discard(in shape: Shape) {}

  @_alwaysEmitIntoClient
  package func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  package func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)] { [] }
}

extension ScheduledStage where Self: ~Copyable, Input == Output {
  @_alwaysEmitIntoClient
  package func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand {
    shape.schedule(input)
    return .none
  }
}
