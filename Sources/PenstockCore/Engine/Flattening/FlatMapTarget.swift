// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The inner publishers of `flatMap` that need no stream.
@usableFromInline
internal struct FlatMapTarget<Input, Failure: Error>: LoopTarget {
  @usableFromInline internal typealias Resident = NoResident<Input, Failure>

  @usableFromInline internal let core: Unmanaged<FlatMapCore<Input, Failure>>

  @_alwaysEmitIntoClient
  internal init(_ core: FlatMapCore<Input, Failure>) { self.core = .passUnretained(core) }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _isReady: Bool {
    core._withUnsafeGuaranteedRef { $0.isUnlimited.load(ordering: .relaxed) && !$0.isClosed } && isUnobserved
  }

  @_alwaysEmitIntoClient @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    let core = core.takeUnretainedValue()
    core.noteOpening()
    let stream = InnerStream(of: .passUnretained(core))
    publisher.subscribe(InletSubscriber(FlatMapInnerHandler(core, stream)))
  }

  @_alwaysEmitIntoClient
  internal var isStale: Bool { false }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>, isQueued: Bool) {
    core._withUnsafeGuaranteedRef {
      if isQueued { $0.noteEnd() }
      $0.endInner(completion, isHandled: !isQueued)
    }
  }

  /// Counted as a stream: upstream's completion may have been queued before, by the closure that made the publisher.
  @_alwaysEmitIntoClient
  internal func willQueueEnd() { core._withUnsafeGuaranteedRef { $0.noteOpening() } }
}
