// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The use of a resource by one subscription, which takes time to end, and ends once.
internal final class AsyncUse<Resource: Sendable>: Sendable {
  private enum State {
    case acquiring
    case held(Resource)
    case over
  }

  private let state = Guarded(State.acquiring)
  private let release: @Sendable (Resource) async -> Void

  internal init(_ release: @escaping @Sendable (Resource) async -> Void) { self.release = release }

  /// A stream that is dropped without an end ends its use, too.
  deinit { cancel() }

  /// Begins with a resource, or releases it if the stream is over by now.
  ///
  /// - Returns: Whether the stream goes on.
  internal func begin(_ resource: Resource) async -> Bool {
    let goesOn = state.withLock { state in
      if case .over = state { return false }
      state = .held(resource)
      return true
    }
    if !goesOn { await release(resource) }
    return goesOn
  }

  /// Ends with the stream, whose end waits for it.
  ///
  /// In a task of its own, which a cancel meanwhile does not reach.
  internal func end() async { await startRelease()?.value }

  /// Ends with a cancel, which waits for nothing.
  internal func cancel() { _ = startRelease() }

  private func startRelease() -> Task<Void, Never>? {
    let state = state.withLock { exchange(&$0, with: .over) }
    guard case .held(let resource) = state else { return nil }
    return Task { [release] in await release(resource) }
  }
}
