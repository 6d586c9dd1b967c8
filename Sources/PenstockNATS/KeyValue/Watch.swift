// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Passes the changes of a bucket to a subscriber, as fast as the server has them.
  internal final class Watch: PushFeed {
    /// Whether the subscriber has got the sign that everything has come.
    private let hasSent = Guarded(false)
    private let task = Guarded<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

    /// Begins; the task holds the source of the events, and with it this object, until the end.
    internal func start(
      _ link: Link, bucket: String, keys: String, heartbeat: Duration, _ events: PushSource<NATSWatchEvent, NATSError>
    ) {
      do throws(NATSError) {
        try Names.check(key: keys, isPattern: true)
      } catch {
        return events.finish(.failure(error))
      }
      var options = NATSDeliveryOptions()
      options.heartbeat = max(heartbeat, .milliseconds(10))
      options.expires = max(options.expires, options.heartbeat * 2)
      options.failsAfter = nil
      let place = OrderedPlace(filter: "$KV.\(bucket).\(keys)", beginning: .lastPerSubject) { pending in
        if pending == 0 { self.sendSign(to: events) }
      }
      let owner = PullOwner(Pull(link, stream: "KV_\(bucket)", .ordered(place), options, CreditLedger()))
      let task = Task {
        do throws(NATSError) {
          while let deliveries = try await owner.fetch(256), !Task.isCancelled {
            for delivery in deliveries {
              guard let entry = NATSEntry(bucket, delivery) else { continue }
              events.receive(.entry(entry))
              if entry.pending == 0 { sendSign(to: events) }
            }
          }
          events.finish(.finished)
        } catch {
          events.finish(link.events.isDraining ? .finished : .failure(error))
        }
      }
      let isOver = self.task.withLock { state in
        if !state.isOver { state.task = task }
        return state.isOver
      }
      if isOver { task.cancel() }
    }

    /// Says, once, that everything has come that existed at the beginning.
    private func sendSign(to events: PushSource<NATSWatchEvent, NATSError>) {
      if !hasSent.withLock({ exchange(&$0, with: true) }) { events.receive(.isCurrent) }
    }

    internal func streamEnded() {
      task.withLock { state in
        state.isOver = true
        return state.task.take()
      }?.cancel()
    }
  }
#endif
