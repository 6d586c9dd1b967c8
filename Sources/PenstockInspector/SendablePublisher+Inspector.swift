// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
public import PenstockCore

extension SendablePublisher {
  /// Republishes all signals, and gives this place in the chain a name in the inspector.
  ///
  /// This is `Publisher.inspected(_:file:line:)` for a pipeline that is checked for data races.
  @inlinable @_disfavoredOverload
  public func inspected(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> SendablePublisher<Publishers.Inspected<Plain>> {
    SendablePublisher<_>(unchecked: publisher.inspected(name, file: file, line: line))
  }

  /// Republishes all signals, gives this place in the chain a name in the inspector, and keeps texts of the latest values.
  ///
  /// This is `Publisher.inspected(_:file:line:describing:)` for a pipeline that is checked for data races.
  ///
  /// `describing` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable @_disfavoredOverload
  public func inspected(
    _ name: String, file: StaticString = #fileID, line: UInt = #line,
    describing: @escaping @Sendable (Output) -> String
  ) -> SendablePublisher<Publishers.Inspected<Plain>> {
    SendablePublisher<_>(unchecked: publisher.inspected(name, file: file, line: line, describing: describing))
  }

  /// Republishes all signals, and calls a closure with each value of its own type that is discarded upstream.
  ///
  /// This is `Publisher.handleDiscarded(_:)` for a pipeline that is checked for data races.
  ///
  /// The closure is `@Sendable`: it may run on any thread, for several subscribers at once, and during a delivery.
  @inlinable @_disfavoredOverload
  public func handleDiscarded(
    _ body: @escaping @Sendable (Output, Inspector.Link.Drops.Reason) -> Void
  ) -> SendablePublisher<Publishers.HandleDiscarded<Plain>> {
    SendablePublisher<_>(unchecked: publisher.handleDiscarded(body))
  }

  /// Republishes all signals, and calls a closure with each value of a type that is discarded upstream.
  ///
  /// This is `Publisher.handleDiscarded(of:_:)` for a pipeline that is checked for data races.
  ///
  /// The closure is `@Sendable`: it may run on any thread, for several subscribers at once, and during a delivery.
  @inlinable @_disfavoredOverload
  public func handleDiscarded<Value>(
    of type: Value.Type, _ body: @escaping @Sendable (Value, Inspector.Link.Drops.Reason) -> Void
  ) -> SendablePublisher<Publishers.HandleDiscarded<Plain>> {
    SendablePublisher<_>(unchecked: publisher.handleDiscarded(of: type, body))
  }
}
