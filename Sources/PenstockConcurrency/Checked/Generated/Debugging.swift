// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Stops the process if the upstream publisher fails.
  ///
  /// Does what ``/PenstockCore/Publisher/assertNoFailure(_:file:line:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
    -> SendablePublisher<Publishers.AssertNoFailure<Base>>
  {
    SendablePublisher<Publishers.AssertNoFailure<Base>>(unchecked: base.assertNoFailure(prefix, file: file, line: line))
  }

  /// Stops in the debugger when a closure returns `true`.
  ///
  /// Does what ``/PenstockCore/Publisher/breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)`` does, in
  /// a pipeline that is checked for data races.
  ///
  /// `receiveSubscription`, `receiveOutput` and `receiveCompletion` are `@Sendable`: they may run on any thread, for
  /// several subscribers at once.
  @inlinable
  public func breakpoint(
    receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
    receiveOutput: (@Sendable (Output) -> Bool)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> SendablePublisher<Publishers.Breakpoint<Base>> {
    SendablePublisher<Publishers.Breakpoint<Base>>(
      unchecked: base.breakpoint(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion))
  }

  /// Stops in the debugger when the upstream publisher fails.
  ///
  /// Does what ``/PenstockCore/Publisher/breakpointOnError()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func breakpointOnError() -> SendablePublisher<Publishers.Breakpoint<Base>> {
    SendablePublisher<Publishers.Breakpoint<Base>>(unchecked: base.breakpointOnError())
  }

  /// Calls closures for the events that pass in both directions.
  ///
  /// Does what
  /// `Publisher.handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)`
  /// does, in a pipeline that is checked for data races.
  ///
  /// `receiveSubscription`, `receiveOutput`, `receiveCompletion`, `receiveCancel` and `receiveRequest` are
  /// `@Sendable`: they may run on any thread, for several subscribers at once.
  @inlinable
  public func handleEvents(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil, receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
  ) -> SendablePublisher<Publishers.HandleEvents<Base>> {
    SendablePublisher<Publishers.HandleEvents<Base>>(
      unchecked: base.handleEvents(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion,
        receiveCancel: receiveCancel, receiveRequest: receiveRequest))
  }

  /// Prints every event that passes in both directions.
  ///
  /// Does what ``/PenstockCore/Publisher/print(_:to:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func print(_ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil) -> SendablePublisher<
    Publishers.Print<Base>
  > {
    SendablePublisher<Publishers.Print<Base>>(unchecked: base.print(prefix, to: stream))
  }

  /// Calls a closure exactly once for each subscriber: when the stream finishes, fails or is cancelled.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/finally(_:)`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `action` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func finally(_ action: @escaping @Sendable () -> Void) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.finally(action))
  }

  /// Calls a closure for each subscriber, before upstream is subscribed to.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/onStart(_:)`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `action` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func onStart(_ action: @escaping @Sendable () -> Void) -> SendablePublisher<Deferred<Base>> {
    SendablePublisher<Deferred<Base>>(unchecked: base.onStart(action))
  }

  /// Counts each stream of this publisher with a tracker, from the subscription to its end or a cancel.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/trackActivity(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func trackActivity(_ tracker: ActivityTracker) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.trackActivity(tracker))
  }
}
