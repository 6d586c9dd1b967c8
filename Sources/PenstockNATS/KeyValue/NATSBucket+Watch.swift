// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  public import PenstockCore

  /// A change of a bucket, or the sign that all that was there before has come.
  public enum NATSWatchEvent: Sendable, Hashable {
    /// A value of a key, or a deletion.
    case entry(NATSEntry)
    /// Everything that existed when the watch began has come; it comes once, also if nothing existed.
    case isCurrent
  }

  extension NATSBucket {
    /// Returns a publisher of the latest values of keys, and then of each change.
    ///
    /// ```swift
    /// let changes = limits.watch("kitchen.*").sink { _ in } receiveValue: { print($0.key, $0.text) }
    /// ```
    ///
    /// The first entry whose ``NATSEntry/pending`` is 0 is the last of those that existed at the beginning;
    /// ``watchEvents(_:heartbeat:)`` has a sign for that. Deletions come as entries, too. However long an outage is, the
    /// changes made meanwhile come; if the bucket has been deleted and made again, all its entries come.
    ///
    /// **Demand:** the changes are fetched as they come, whatever the demand. The latest change of each key waits, in the
    /// place of the previous one: so a slow subscriber sees every key, but not every change, and no more changes wait
    /// than there are keys. Then changes of different keys may come in another order than that of their revisions;
    /// those of one key never do. `request(.none)` traps.
    ///
    /// **Completion:** `.finished` when the connection is drained. A cancel unsubscribes.
    ///
    /// **Failure:** a ``NATSError``: an invalid pattern, no such bucket, or one that has been deleted, a closed
    /// connection.
    ///
    /// **Concurrency:** entries are delivered on a queue of the subscription.
    ///
    /// - Parameters:
    ///   - keys: The keys; `*` stands for one part between dots, `>` at the end for all others.
    ///   - heartbeat: The interval at which the server reports that it is alive; after two silent intervals the watch
    ///     begins again.
    /// - Returns: A publisher of entries.
    public func watch(
      _ keys: String = ">", heartbeat: Duration = .seconds(5)
    ) -> some Publisher<NATSEntry, NATSError> & Sendable {
      watchEvents(keys, heartbeat: heartbeat).sendable
        .compactMap { event in if case .entry(let entry) = event { entry } else { nil } }
        .publisher
    }

    /// Returns a publisher of the latest values of keys, of a sign when all of them have come, and then of each change.
    ///
    /// ```swift
    /// for try await event in limits.watchEvents("kitchen.*").values {
    ///   guard case .entry(let entry) = event else { break }
    ///   print(entry.key, entry.text)
    /// }
    /// ```
    ///
    /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``watch(_:heartbeat:)``.
    ///
    /// - Parameters:
    ///   - keys: The keys; `*` stands for one part between dots, `>` at the end for all others.
    ///   - heartbeat: The interval at which the server reports that it is alive.
    /// - Returns: A publisher of entries and the sign.
    public func watchEvents(
      _ keys: String = ">", heartbeat: Duration = .seconds(5)
    ) -> some Publisher<NATSWatchEvent, NATSError> & Sendable {
      WatchPublisher(client: connection.client, bucket: name, keys: keys, heartbeat: heartbeat)
    }
  }

  private struct WatchPublisher: Publisher, Sendable {
    typealias Output = NATSWatchEvent
    typealias Failure = NATSError

    let client: NATSClient
    let bucket: String
    let keys: String
    let heartbeat: Duration

    func receive<S: Subscriber>(subscriber: S) where S.Input == NATSWatchEvent, S.Failure == NATSError {
      let watch = Watch()
      let events = PushSource<NATSWatchEvent, NATSError>(
        from: watch, .latest(key: \.key, merge: { $1.keepPlace(of: $0) }), schedule: NATSClient.schedule())
      events.introduce(subscriber.erased(), name: "Watch")
      watch.start(client, bucket: bucket, keys: keys, heartbeat: heartbeat, events)
    }
  }

  extension NATSWatchEvent {
    /// The key in whose place it waits: no key of a bucket is empty.
    fileprivate var key: String { if case .entry(let entry) = self { entry.key } else { "" } }

    /// The number of entries that come after this one belongs to the place: with 0, it is the last of those that
    /// existed at the beginning.
    fileprivate mutating func keepPlace(of waiting: Self) {
      guard case .entry(var entry) = self, case .entry(let waiting) = waiting else { return }
      entry.pending = waiting.pending
      self = .entry(entry)
    }
  }
#endif
