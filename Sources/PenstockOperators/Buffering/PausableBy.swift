// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes values while a valve is open.
  ///
  /// ![While the valve is closed, no values are requested. What was requested before is kept, and follows when it
  /// opens.](pausable)
  ///
  /// The valve is open until its publisher says `false`, and each `true` opens it. A ``PenstockCore/Publishers/Valve``
  /// and a `CurrentValueSubject` publish their state as soon as they are subscribed to, which happens before upstream
  /// is subscribed to.
  ///
  /// ```swift
  /// let (numbers, valve) = (PassthroughSubject<Int, Never>(), Publishers.Valve())
  /// let cancellable = numbers.pausable(by: valve).sink { print($0) }
  /// numbers.send(1)
  /// valve.close()
  /// numbers.send(2)
  /// numbers.send(3)
  /// print("closed")
  /// valve.open()
  /// // Prints "1", "closed", "2", "3" on four lines.
  /// ```
  ///
  /// **Demand:** passed on while the valve is open. With `.keep`, demand that comes while it is closed is passed on
  /// when it opens, and values that had been requested from upstream before are kept: without a limit, if the
  /// subscriber requests everything, as `sink` does, and the source does not end. With `.drop`, demand is always passed
  /// on, and each dropped value is replaced by a request; the drop is reported as a value without demand.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded, also while the valve is closed; if values are kept, after them.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** values may arrive, and the valve be opened, on different threads. One thread delivers at a time: the
  /// one that opens the valve, or upstream's.
  ///
  /// When the valve's publisher finishes, the valve stays as it is: values that are kept then are kept until a cancel.
  ///
  /// Use `throttle(while:on:)` to keep the latest value only, and ``pausableSink(receiveCompletion:receiveValue:)`` for a
  /// subscriber that pauses itself.
  ///
  /// - Parameters:
  ///   - valve: A publisher of whether values pass.
  ///   - strategy: What happens to values that arrive while the valve is closed.
  /// - Returns: A publisher of the values that pass.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func pausable<Valve: Publisher<Bool, Never>>(
    by valve: Valve, whenClosed strategy: Publishers.ValveStrategy = .keep
  ) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(ValvePublisher(upstream: self, signals: valve, keeps: strategy == .keep))
  }
}
