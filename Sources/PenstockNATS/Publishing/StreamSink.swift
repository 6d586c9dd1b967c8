// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import Dispatch
  internal import PenstockCore

  /// The part of a subscriber that publishes into a stream that does not depend on the failure of its upstream.
  internal final class StreamSink: Sendable {
    private struct State {
      var upstream: (any Subscription)?
      var hasUpstream = false
      var counts = NATSStreamCounts()
      /// The number of values that may be requested and have not been.
      var room: Int
      var isRequesting = false
      var isOver = false
      var error: (any Error)?
      var waiters: [UnsafeContinuation<Void, Never>] = []

      /// Takes the callers that wait for the end, if this is it.
      mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
        isOver && counts.inFlight == 0 ? exchange(&waiters, with: []) : []
      }

      /// Whether there is enough room to request more, and no thread does so already.
      mutating func beginRequesting(_ refill: Int) -> Bool {
        if isRequesting || isOver || room < refill { return false }
        isRequesting = true
        return true
      }
    }

    private let confirming: Confirming
    /// The room that is needed before more is requested: a call for each confirmation would cost more than the message.
    private let refill: Int
    private let onConfirmation: (@Sendable (PublishConfirmation) -> Void)?
    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "penstock.nats.sink")

    internal init(
      _ confirming: Confirming, _ maxInFlight: Int, _ onConfirmation: (@Sendable (PublishConfirmation) -> Void)?
    ) {
      self.confirming = confirming
      refill = max(1, maxInFlight / 4)
      self.onConfirmation = onConfirmation
      state = Guarded(State(room: maxInFlight))
    }

    internal var counts: NATSStreamCounts { state.withLock { $0.counts } }

    internal func receive(_ subscription: any Subscription) {
      let isFirst = state.withLock { state in
        if state.hasUpstream || state.isOver { return false }
        state.hasUpstream = true
        state.upstream = subscription
        return true
      }
      if !isFirst { return subscription.cancel() }
      if state.withLock({ $0.beginRequesting(refill) }) { request() }
    }

    internal func receive(_ input: NATSPublication) {
      let isWanted = state.withLock { state in
        if state.isOver { return false }
        state.counts.received += 1
        state.counts.inFlight += 1
        return true
      }
      if !isWanted { return }
      do throws(NATSError) {
        confirming.publish(try confirming.outgoing(input)) { self.settle($0) }
      } catch {
        settle(.failure(error))
      }
    }

    private func settle(_ result: Result<PublishConfirmation, NATSError>) {
      switch result {
      case .success(let confirmation):
        onConfirmation?(confirmation)
        let (waiters, starts) = state.withLock { state in
          state.counts.inFlight -= 1
          state.counts.confirmed += 1
          if confirmation.isDuplicate { state.counts.duplicates += 1 }
          state.room += 1
          return (state.takeWaiters(), state.beginRequesting(refill))
        }
        for waiter in waiters { waiter.resume() }
        // The work that upstream then does must not keep the thread on which confirmations come.
        if starts { queue.async { self.request() } }
      case .failure(let error):
        // The end comes first: a waiting caller must not find the count at zero and no error.
        finish(with: error) { counts in
          counts.inFlight -= 1
          counts.failed += 1
        }
      }
    }

    /// Ends the stream, because of an error or because upstream has finished.
    internal func end(_ error: (any Error)?) { finish(with: error) { _ in } }

    private func finish(with error: (any Error)?, _ count: (inout NATSStreamCounts) -> Void) {
      let (upstream, waiters) = state.withLock { state in
        count(&state.counts)
        if state.error == nil { state.error = error }
        state.isOver = true
        return (state.upstream.take(), state.takeWaiters())
      }
      if error != nil { upstream?.cancel() }
      for waiter in waiters { waiter.resume() }
    }

    /// Requests as many values as have been confirmed meanwhile, as long as there are enough.
    private func request() {
      while true {
        let (upstream, room) = state.withLock { state -> ((any Subscription)?, Int) in
          let room = state.room < refill ? 0 : exchange(&state.room, with: 0)
          if room == 0 || state.isOver { state.isRequesting = false }
          return (state.isOver ? nil : state.upstream, room)
        }
        guard let upstream, room > 0 else { return }
        upstream.request(.max(room))
      }
    }

    internal func finished() async throws -> NATSStreamCounts {
      await state.suspend { state, waiter in
        if state.isOver, state.counts.inFlight == 0 { return () }
        state.waiters.append(waiter)
        return nil
      }
      let (counts, error) = state.withLock { ($0.counts, $0.error) }
      if let error { throw error }
      return counts
    }
  }
#endif
