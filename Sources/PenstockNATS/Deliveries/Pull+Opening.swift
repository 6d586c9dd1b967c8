// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import PenstockOperators

  extension Pull {
    /// Makes an inbox in a task, and then lets the stream continue.
    internal func startOpening() {
      let begins = state.withLock { state in
        if state.isOver || state.isOpening { return false }
        state.isOpening = true
        return true
      }
      if !begins { return }
      let task = Task {
        do throws(NATSError) {
          try await open()
        } catch {
          fail(error)
        }
        state.withLock { $0.isOpening = false }
        deliveries.resume()
      }
      opening.onCancel { task.cancel() }
    }

    /// Checks whether the consumer exists, and makes an inbox for it.
    ///
    /// At the beginning a problem is a failure. Later it is an outage, and the pull waits for its end.
    internal func open() async throws(NATSError) {
      let isFirst = state.withLock { !$0.hasBegun }
      var retry = 0
      while !Task.isCancelled {
        do throws(NATSError) {
          switch role {
          case .durable(let name):
            let info = try await client.consumerInfo(name, stream)
            try check(info.configuration)
            return begin(info)
          case .ordered(let place):
            let info = try await makeConsumer(place)
            begin(info)
            if isFirst { place.onBegin(info.pending) }
            return
          }
        } catch {
          switch error.reason {
          case .cancelled: break
          case .noResponse, .disconnected, .jetStreamUnavailable:
            // Without a connection, there is an outage from the beginning.
            if isFirst, client.events.isConnected { throw error }
            state.withLock { $0.outage.begin(at: client.events.lossDate ?? .now) }
          case .streamNotFound where role.isOrdered && mayComeBack(): break
          case .streamNotFound where role.isOrdered: throw error
          case .consumerNotFound, .streamNotFound:
            throw isFirst ? error : deleted
          default: throw error
          }
        }
        if state.withLock({ $0.isOver }) { return }
        try? await ContinuousClock().sleep(for: NATSClient.outage.delay(beforeRetry: retry))
        retry += 1
      }
    }

    /// Whether a stream that has been deleted may be made again: whoever does that has a moment between the two.
    private func mayComeBack() -> Bool {
      state.withLock { state in
        guard state.hasBegun, let loss = state.outage.lossDate else { return false }
        return .now - loss < max(options.heartbeat * 2, .seconds(5))
      }
    }

    internal var deleted: NATSError {
      NATSError(
        .consumerDeleted,
        "The consumer \(consumer) of \(stream) has been deleted while it was used. Create it, and subscribe again."
      )
    }

    private func check(_ configuration: ConsumerConfiguration) throws(NATSError) {
      if configuration.isPushed {
        throw NATSError(
          .refused, "The server pushes the messages of \(consumer): create a consumer without a subject to deliver to.")
      }
      if configuration.ackPolicy != .explicit {
        throw NATSError(
          .refused,
          "The consumer \(consumer) does not ask for each acknowledgement: create one with the policy `explicit`.")
      }
    }

    private func begin(_ info: ConsumerInfo) {
      let inbox = PullInbox()
      let isWanted = state.withLock { state in
        if state.isOver || !state.needsInbox { return false }
        (state.configuration, state.readingDate) = (info.configuration, .now)
        (state.consumer, state.lastDelivery) = (info.name, 0)
        state.inbox = inbox
        state.needsInbox = false
        state.hasBegun = true
        state.lastHeard = .now
        state.outage.end()
        return true
      }
      if isWanted { inbox.open(for: self) }
    }

    // MARK: Watching

    /// Checks at intervals whether anything has been heard from the consumer.
    internal func startWatch() {
      if state.withLock({ exchange(&$0.isWatching, with: true) }) { return }
      let task = Task { [weak self, heartbeat = options.heartbeat] in
        while (try? await ContinuousClock().sleep(for: (heartbeat / 2).countable)) != nil, let self {
          self.look()
          await self.readConfiguration()
        }
      }
      watching.onCancel { task.cancel() }
    }

    /// Reads the consumer's configuration again, now and then: the time that a delivery may take can have changed.
    private func readConfiguration() async {
      let isDue = state.withLock { state in
        !state.needsInbox && state.readingDate.map { ContinuousClock.now - $0 > .seconds(30) } ?? false
      }
      if !isDue { return }
      guard let info = try? await client.consumerInfo(consumer, stream) else { return }
      state.withLock { ($0.configuration, $0.readingDate) = (info.configuration, .now) }
    }

    private func look() {
      let now = ContinuousClock.now
      let (isSilent, isOutage) = state.withLock { state in
        (now - state.lastHeard > options.heartbeat * 2, state.outage.isLonger(than: options.failsAfter))
      }
      if isSilent, deliveries.credit > 0 { loseCredit() }
      if isOutage {
        let text =
          "Nothing has been heard of the consumer \(consumer) of \(stream) for more than \(options.failsAfter!)."
        fail(NATSError(.outage, text + " See the server, and subscribe again when it is back."))
      }
    }
  }
#endif
