// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The rule of `window`: one part at a time, which begins with a value, and ends with a number of values, at a signal, or
/// when its time is over.
///
/// A window whose part is not wanted stays open all the same, and its values are dropped: its end does not depend on
/// its subscriber.
@usableFromInline
internal final class WindowRule<Value, S, F: Error, Context: Scheduler>: SplitRule {
  @usableFromInline internal typealias Signal = S
  @usableFromInline internal typealias Failure = F
  @usableFromInline internal typealias Input = Value
  @usableFromInline internal typealias UpstreamFailure = F
  @usableFromInline internal typealias Mark = UInt
  @usableFromInline internal typealias Outlet = AnyPublisher<Value, F>
  @usableFromInline internal typealias Part = SplitPart<UInt, Value, F>
  @usableFromInline internal typealias Core = SplitSubscriber<WindowRule>

  /// The maximum number of values in a window.
  @usableFromInline internal let size: Int
  /// Set to the number of the open window, if windows have a time.
  @usableFromInline internal let timer: RestartableTimer<UInt, Context>
  @usableFromInline internal let isTimed: Bool

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var isOpen = false
  /// The part of the open window, unless it is not wanted.
  @exclusivity(unchecked) @usableFromInline internal var part: Part?
  /// The number of the open window, or of the last one.
  @exclusivity(unchecked) @usableFromInline internal var number: UInt = 0
  /// How many values the open window has.
  @exclusivity(unchecked) @usableFromInline internal var count = 0

  @inlinable
  internal init(size: Int, timer: consuming RestartableTimer<UInt, Context>, isTimed: Bool) {
    self.size = size
    self.timer = timer
    self.isTimed = isTimed
  }

  @inlinable
  internal static var name: String { "Window" }

  /// One value waits, since a window is published with its first value.
  ///
  /// No further value is requested until that one is taken. A value that was requested before waits, too.
  @inlinable
  internal var limits: SplitLimits { SplitLimits(capacity: 1, policy: .hold, unpublishedHolds: true, prefetch: 2) }

  @inlinable
  internal var isSkipping: Bool { isOpen && part == nil }

  @inlinable
  internal func place(_ input: Value, in core: Core) {
    if !isOpen { return begin(with: input, in: core) }
    count += 1
    let part = part
    let isLast = count == size
    if isLast { forgetWindow() }
    guard let part else { return core.noteDiscard(input, .late) }
    core.put(input, in: part)
    if isLast { core.close(part, .finished) }
  }

  @inlinable
  internal func begin(with input: Value, in core: Core) {
    if core.refusesParts { return core.noteDiscard(input, .late) }
    number &+= 1
    count = 1
    let part = core.open(number)
    if size > 1 {
      isOpen = true
      self.part = part
    }
    core.put(input, in: part)
    if size == 1 {
      core.close(part, .finished)
    } else if isTimed {
      timer.set(number) { alarm in { self.fire(alarm, in: core) } }
    }
    core.publish(part)
  }

  @inlinable
  internal func forgetWindow() {
    isOpen = false
    part = nil
    if isTimed { timer.stop() }
  }

  /// Ends the open window, if there is one.
  @inlinable
  internal func endWindow(in core: Core) {
    if !isOpen { return }
    let part = part
    forgetWindow()
    if let part { core.close(part, .finished) }
  }

  @inlinable
  internal func receive(signal: Signal, in core: Core) { endWindow(in: core) }

  /// Ends the window whose time is over; called by the timer.
  @inlinable
  internal func fire(_ alarm: UInt, in core: Core) {
    var due: UInt?
    let hasFired = timer.fire(alarm, block: { alarm in { self.fire(alarm, in: core) } }) {
      due = $0
      return true
    }
    guard hasFired, let due else { return }
    core.submit {
      // Another window may have begun meanwhile.
      if self.number == due { self.endWindow(in: core) }
      core.ask()
    }
  }

  @inlinable
  internal func forget(_ part: Part) {
    if self.part === part { self.part = nil }
  }

  @inlinable
  internal func end() -> [Part] {
    let part = part
    isOpen = false
    self.part = nil
    if isTimed { timer.cancel() }
    return part.map { [$0] } ?? []
  }

  @inlinable
  internal func makeOutlet(_ handle: SplitHandle<UInt, Value, Failure>) -> AnyPublisher<Value, Failure> {
    AnyPublisher(WindowPublisher(handle))
  }
}

/// The publisher of a window's values.
@usableFromInline
internal struct WindowPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline internal let handle: SplitHandle<UInt, Output, Failure>

  @inlinable
  internal init(_ handle: SplitHandle<UInt, Output, Failure>) { self.handle = handle }

  @inlinable
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    handle.attach(subscriber, name: "Window")
  }
}
