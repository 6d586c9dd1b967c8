// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A relay that keeps its latest value and delivers it to new subscribers.
///
/// ```swift
/// let level = CurrentValueRelay(1)
/// let cancellable = level.sink { print($0) }
/// level.accept(2)
/// level.value += 1
/// // Prints "1", "2", "3" on three lines.
/// ```
///
/// **Demand:** counted for each subscriber. The first request delivers the current value. A value that a subscriber has
/// not requested is skipped; its next request delivers the latest one. `request(.none)` traps.
///
/// **Completion:** never. A subscription keeps the relay alive until it is cancelled.
///
/// **Failure:** none; a relay cannot fail.
///
/// **Concurrency:** as for `CurrentValueSubject`: any thread may accept, read and set, and the last value that a
/// subscriber receives is the latest. `Sendable` covers the relay's own state only.
///
/// Use `CurrentValueSubject` to complete, and ``PassthroughRelay`` to keep no value.
public final class CurrentValueRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline package let fanOut: FanOut<Output, Never>

  /// Creates a relay with an initial value.
  ///
  /// - Parameter value: The initial value.
  @_alwaysEmitIntoClient
  public init(_ value: Output) {
    fanOut = FanOut(repeating: value)
  }

  /// The latest value.
  ///
  /// Setting it is the same as calling ``accept(_:)``. It already has its new value when subscribers are notified.
  @_alwaysEmitIntoClient
  public var value: Output {
    get { fanOut.latest.unsafelyUnwrapped }
    set { accept(newValue) }
  }

  @_alwaysEmitIntoClient
  public func accept(_ value: Output) {
    fanOut.sendLatest(value, evenWhenClosed: false)
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == Never {
    fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}

extension CurrentValueRelay: FanOutPublisher {
  @inlinable
  package static var memberName: StaticString { "CurrentValueRelay" }

  @usableFromInline
  package func demandRose() {}
}

// `@unchecked`: all state is behind the fan-out's loop and locks.
extension CurrentValueRelay: @unchecked Sendable where Output: Sendable {}
