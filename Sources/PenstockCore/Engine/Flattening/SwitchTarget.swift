// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The inner publishers of `switchToLatest` that need no stream.
@usableFromInline
internal struct SwitchTarget<Input, Failure: Error>: LoopTarget {
  @usableFromInline internal typealias Resident = NoResident<Input, Failure>

  @usableFromInline internal let core: Unmanaged<SwitchCore<Input, Failure>>
  /// The number of the publisher, which has replaced the latest stream before code of the user's makes its values.
  @usableFromInline internal let number: UInt

  @_alwaysEmitIntoClient
  internal init(_ core: SwitchCore<Input, Failure>, _ number: UInt) {
    self.core = .passUnretained(core)
    self.number = number
  }

  /// Whether the publisher has not been replaced, and the stream is open.
  @_alwaysEmitIntoClient
  internal var isCurrent: Bool { !isStale && !isClosed }

  /// Not during a delivery: a stream is requested from when the loop has been left, so its values come after that.
  @_alwaysEmitIntoClient @inline(__always)
  internal var _isReady: Bool {
    core._withUnsafeGuaranteedRef { $0.isUnlimited.load(ordering: .relaxed) && $0.isFree } && isCurrent && isUnobserved
  }

  @_alwaysEmitIntoClient @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    // The code that has made the publisher may have replaced it. Then it is subscribed to all the same, and cancelled,
    // like a publisher that is replaced while it is being subscribed to.
    let core = core.takeUnretainedValue()
    let stream = (isCurrent ? core.admit() : nil) ?? SwitchInlet(stale: ())
    publisher.subscribe(InletSubscriber(SwitchInnerHandler(core, stream)))
  }

  @_alwaysEmitIntoClient
  internal var isStale: Bool { core._withUnsafeGuaranteedRef { $0.fused.load(ordering: .relaxed) } != number }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>, isQueued: Bool) {
    core._withUnsafeGuaranteedRef { $0.end(fused: number, completion, isQueued: isQueued) }
  }
}
