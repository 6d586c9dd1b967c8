// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
internal import Synchronization

/// The use of a resource by one subscription; ending the use takes time, and happens once.
internal final class AsyncUse<Resource: Sendable>: Sendable {
  private enum State {
    case acquiring
    case held(Resource)
    /// The publisher is being made and subscribed to: a cancel that arrives meanwhile has to wait for that.
    case attaching(Resource, isCancelled: Bool)
    case over
  }

  private let state = Guarded(State.acquiring)
  private let release: @Sendable (Resource) async -> Void
  /// Whether the publisher has ended on its own, so that ``end()`` follows.
  private let isComplete = AtomicCell(false)

  internal init(_ release: @escaping @Sendable (Resource) async -> Void) { self.release = release }

  /// A stream that is dropped without an end ends the use, too.
  deinit { cancel() }

  /// Begins with a resource, or releases it if the stream has ended by now.
  ///
  /// - Returns: Whether the stream continues.
  internal func begin(_ resource: Resource) async -> Bool {
    let goesOn = state.withLock { state in
      if case .over = state { return false }
      state = .held(resource)
      return true
    }
    if !goesOn { await release(resource) }
    return goesOn
  }

  /// Makes a publisher from the resource and subscribes to it, unless the stream has ended by now.
  ///
  /// A cancel on another thread finds nothing to cancel before there is a subscription: so it leaves the release to
  /// this call, which passes the cancel on once the publisher is attached.
  internal func attach(_ body: (Resource) -> Void) {
    let resource = state.withLock { state -> Resource? in
      guard case .held(let resource) = state else { return nil }
      state = .attaching(resource, isCancelled: false)
      return resource
    }
    guard let resource else { return }
    body(resource)
    let isCancelled = state.withLock { state in
      // The stream may have ended meanwhile.
      guard case .attaching(_, let isCancelled) = state else { return false }
      state = .held(resource)
      return isCancelled
    }
    if isCancelled { cancel() }
  }

  internal func complete() { isComplete.store(true, ordering: .relaxed) }

  /// Ends the use when the publisher has dropped its subscriber.
  internal func drop() { if !isComplete.load(ordering: .relaxed) { cancel() } }

  /// Ends the use at the end of the stream, which waits for it.
  ///
  /// The release runs in a task of its own, which a cancel meanwhile does not reach.
  internal func end() async { await startRelease(isCancel: false)?.value }

  /// Ends the use after a cancel, which has reached the publisher, and does not wait.
  internal func cancel() { _ = startRelease(isCancel: true) }

  private func startRelease(isCancel: Bool) -> Task<Void, Never>? {
    let resource = state.withLock { state -> Resource? in
      switch state {
      case .attaching(let resource, _) where isCancel:
        state = .attaching(resource, isCancelled: true)
        return nil
      case .held(let resource), .attaching(let resource, _):
        state = .over
        return resource
      case .acquiring, .over:
        state = .over
        return nil
      }
    }
    guard let resource else { return nil }
    return Task { [release] in await release(resource) }
  }
}
