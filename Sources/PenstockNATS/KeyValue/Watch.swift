// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Passes the changes of a bucket to a subscriber, as fast as the server has them.
  internal final class Watch: PushFeed {
    /// Whether the subscriber has got the sign that everything has come.
    private let hasSent = Guarded(false)
    private let ending = Cancellation()

    /// Begins; the subscription holds the source of the events, and with it this object, until the end.
    internal func start(
      _ client: NATSClient, bucket: String, keys: String, heartbeat: Duration,
      _ events: PushSource<NATSWatchEvent, NATSError>
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
      let messages = NATSDeliveries("watch", batch: 1...256, refillAt: nil) { [options] deliveries in
        PullOwner(Pull(client, stream: "KV_\(bucket)", .ordered(place), options, deliveries))
      }
      .sink { completion in
        events.finish(client.events.isDraining ? .finished : completion)
      } receiveValue: { delivery in
        guard let entry = NATSEntry(bucket, delivery) else { return }
        events.receive(.entry(entry))
        if entry.pending == 0 { self.sendSign(to: events) }
      }
      ending.onCancel { messages.cancel() }
    }

    /// Says, once, that everything has come that existed at the beginning.
    private func sendSign(to events: PushSource<NATSWatchEvent, NATSError>) {
      if !hasSent.withLock({ exchange(&$0, with: true) }) { events.receive(.isCurrent) }
    }

    internal func streamEnded() { ending.cancel() }
  }
#endif
