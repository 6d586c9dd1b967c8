// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// A valve that code opens and closes, for any number of streams; see ``PenstockCore/Publisher/pausable(by:whenClosed:)``.
  ///
  /// ```swift
  /// let valve = Publishers.Valve(isOpen: false)
  /// let cancellable = ["a", "b"].publisher.pausable(by: valve).sink { print($0) }
  /// print("closed")
  /// valve.open()
  /// // Prints "closed", "a", "b" on three lines.
  /// ```
  ///
  /// **Demand:** as a publisher it publishes whether it is open: the present state as soon as it is requested, and then the
  /// state after each call. A state that has not been requested is replaced by the next one.
  ///
  /// **Completion:** none.
  ///
  /// **Failure:** none.
  ///
  /// **Concurrency:** any thread may open and close it.
  public final class Valve: Publisher, Sendable {
    public typealias Output = Bool
    public typealias Failure = Never

    private let state: CurrentValueSubject<Bool, Never>

    /// Creates a valve.
    ///
    /// - Parameter isOpen: Whether it is open.
    public init(isOpen: Bool = true) { state = CurrentValueSubject(isOpen) }

    /// Whether values pass.
    public var isOpen: Bool { state.value }

    /// Lets values pass, beginning with those that have been kept.
    public func open() { state.send(true) }

    /// Lets no values pass until ``open()`` is called.
    public func close() { state.send(false) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == Never {
      state.receive(subscriber: subscriber)
    }
  }

  /// A strategy for the values that arrive while a valve is closed.
  public enum ValveStrategy: Sendable, Hashable {
    /// Requests no more, and keeps the values that had been requested before.
    case keep
    /// Drops values, and requests others in their place.
    case drop
  }
}
