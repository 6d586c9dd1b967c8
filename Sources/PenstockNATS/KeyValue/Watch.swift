// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockCore
  internal import PenstockOperators

  /// Passes the changes of a bucket to an intake.
  ///
  /// The server pushes them, by a consumer that lives as long as somebody listens. When a change is missing, or nothing
  /// has been heard, another consumer continues after the last change that came.
  internal final class Watch: IntakeSource, LinkObserver {
    private struct State {
      var task: Task<Void, Never>?
      var inlet: Inlet?
      var isOver = false
      /// The number of the inlet whose messages count.
      var generation = 0
      var lastHeard = ContinuousClock.now
      var lastRevision: UInt64 = 0
      /// The creation date of the bucket to which that last change belongs.
      var creationDate: String?
      var lastDelivery: UInt64 = 0
      /// Whether another consumer is wanted.
      var isStale = true
      var waiter: UnsafeContinuation<Void, Never>?
    }

    private struct Creation: Encodable {
      struct Configuration: Encodable {
        let deliver_subject: String
        let deliver_policy: String
        let opt_start_seq: UInt64?
        let ack_policy = "none"
        let replay_policy = "instant"
        let filter_subject: String
        let idle_heartbeat: Int64
        let max_deliver = 1
        let mem_storage = true
        let num_replicas = 1
      }

      let stream_name: String
      let config: Configuration
    }

    private let link: Link
    private let bucket: String
    private let keys: String
    private let heartbeat: Duration
    private let state = Guarded(State())

    internal init(_ link: Link, bucket: String, keys: String, heartbeat: Duration) {
      self.link = link
      self.bucket = bucket
      self.keys = keys
      self.heartbeat = max(heartbeat, .milliseconds(10))
    }

    /// Begins; the task holds the intake, and with it this object, until the end.
    internal func start(_ intake: Intake<NATSEntry>) {
      do throws(NATSError) {
        try Names.check(key: keys, isPattern: true)
        if link.events.isClosed || link.events.isDraining { throw Link.closed }
      } catch {
        return intake.finish(.failure(error))
      }
      link.events.add(self)
      let task = Task {
        do throws(NATSError) {
          try await run(intake)
          if link.events.isDraining { intake.finish(.finished) }
        } catch {
          intake.finish(link.events.isDraining ? .finished : .failure(error))
        }
      }
      let isOver = state.withLock { state in
        if !state.isOver { state.task = task }
        return state.isOver
      }
      if isOver { task.cancel() }
    }

    private func run(_ intake: Intake<NATSEntry>) async throws(NATSError) {
      var retry = 0
      var isFirst = true
      while !Task.isCancelled, !link.events.isDraining {
        if link.events.isClosed { throw Link.closed }
        if state.withLock({ $0.isStale }) {
          do throws(NATSError) {
            try await subscribe(intake)
            isFirst = false
            retry = 0
          } catch  where !isFirst && [.noResponse, .disconnected, .jetStreamUnavailable].contains(error.reason) {
            try? await ContinuousClock().sleep(for: Link.outage.delay(beforeRetry: retry))
            retry += 1
          } catch  where error.reason == .cancelled {
            return
          }
        } else {
          // An event ends the wait as well.
          let alarm = Task {
            try? await ContinuousClock().sleep(for: (heartbeat / 2).countable)
            wake { _ in }
          }
          await state.suspend { state, waiter in
            if state.isOver || state.isStale || link.events.isClosed || link.events.isDraining { return () }
            state.waiter = waiter
            return nil
          }
          alarm.cancel()
          let limit = heartbeat * 2
          state.withLock { if .now - $0.lastHeard > limit { $0.isStale = true } }
        }
      }
    }

    /// Makes a consumer that begins after the changes that have come.
    private func subscribe(_ intake: Intake<NATSEntry>) async throws(NATSError) {
      let inbox = Replies.makeInbox()
      let creationDate = try await creationDate()
      let (generation, old, last) = state.withLock { state in
        // A bucket that has been deleted and made again numbers its changes from 1: all of them are new.
        if state.creationDate != creationDate { state.lastRevision = 0 }
        state.creationDate = creationDate
        state.generation += 1
        state.isStale = false
        state.lastDelivery = 0
        state.lastHeard = .now
        return (state.generation, state.inlet.take(), state.lastRevision)
      }
      if let old { link.writer.call { _ in old.close(drains: false) } }
      let inlet = Inlet(inbox, onMessage: { [self] in receive($0, generation, intake) })
      let isOver = state.withLock { state in
        if !state.isOver { state.inlet = inlet }
        return state.isOver
      }
      if isOver { return }
      link.writer.call { [self] in if inlet.open($0) != NATS_OK { wake { $0.isStale = true } } }
      let configuration = Creation.Configuration(
        deliver_subject: inbox, deliver_policy: last == 0 ? "last_per_subject" : "by_start_sequence",
        opt_start_seq: last == 0 ? nil : last + 1, filter_subject: "$KV.\(bucket).\(keys)",
        idle_heartbeat: heartbeat.countableNanoseconds)
      do throws(NATSError) {
        _ = try await link.ask(
          "CONSUMER.CREATE.KV_\(bucket)", Creation(stream_name: "KV_\(bucket)", config: configuration),
          "Can't watch the bucket \(bucket)", as: Created.self)
        // If the bucket was made again between the two requests, it has a consumer that may begin too late.
        if try await self.creationDate() != creationDate { state.withLock { $0.isStale = true } }
      } catch {
        state.withLock { $0.isStale = true }
        throw error
      }
    }

    private struct Created: Decodable { let name: String }
    private struct Stream: Decodable { let created: String }

    private func creationDate() async throws(NATSError) -> String {
      try await link.ask("STREAM.INFO.KV_\(bucket)", API.Nothing(), "Can't watch the bucket \(bucket)", as: Stream.self)
        .created
    }

    private func receive(_ message: OpaquePointer, _ generation: Int, _ intake: Intake<NATSEntry>) {
      let reply = natsMsg_GetReply(message).map { String(cString: $0) } ?? ""
      guard let origin = AckSubject(reply) else {
        return state.withLock { if $0.generation == generation { $0.lastHeard = .now } }
      }
      let message = NATSMessage(copying: message)
      let isNext = state.withLock { state in
        guard state.generation == generation, !state.isStale else { return false }
        state.lastHeard = .now
        guard origin.consumerSequence == state.lastDelivery + 1 else {
          state.isStale = true
          return false
        }
        state.lastDelivery = origin.consumerSequence
        state.lastRevision = max(state.lastRevision, origin.streamSequence)
        return true
      }
      guard isNext else { return wake { _ in } }
      if let entry = NATSEntry(
        bucket, message.subject, message.headers, message.payload, origin.streamSequence, pending: origin.pending)
      {
        intake.receive(entry)
      }
    }

    private func wake(_ body: (inout State) -> Void) {
      let waiter = state.withLock { state in
        body(&state)
        return state.waiter.take()
      }
      waiter?.resume()
    }

    internal func intakeEnded() {
      link.events.remove(self)
      let (task, inlet, waiter) = state.withLock { state in
        state.isOver = true
        return (state.task.take(), state.inlet.take(), state.waiter.take())
      }
      task?.cancel()
      waiter?.resume()
      if let inlet { link.writer.call { _ in inlet.close(drains: false) } }
    }

    internal func linkChanged(_ change: LinkChange) {
      switch change {
      case .connected, .disconnected: wake { $0.isStale = true }
      case .closed, .draining: wake { _ in }
      case .denied: break
      }
    }
  }
#endif
