// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockCore

  extension NATSBucket {
    /// Returns a publisher of the latest values of keys, and then of each change.
    ///
    /// ```swift
    /// let changes = limits.watch("kitchen.*").sink { _ in } receiveValue: { print($0.key, $0.text) }
    /// ```
    ///
    /// The first entry whose ``NATSEntry/pending`` is 0 is the last of those that existed at the beginning. Deletions
    /// come as entries, too. However long an outage is, the changes made meanwhile come; if the bucket has been deleted
    /// and made again, all its entries come.
    ///
    /// **Demand:** the server pushes changes and does not know the demand. The latest change of each key waits, in the
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
      WatchPublisher(link: connection.link, bucket: name, keys: keys, heartbeat: heartbeat)
    }
  }

  private struct WatchPublisher: Publisher, Sendable {
    typealias Output = NATSEntry
    typealias Failure = NATSError

    let link: Link
    let bucket: String
    let keys: String
    let heartbeat: Duration

    func receive<S: Subscriber>(subscriber: S) where S.Input == NATSEntry, S.Failure == NATSError {
      let watch = Watch(link, bucket: bucket, keys: keys, heartbeat: heartbeat)
      // The number of entries that come after this one belongs to the place: with 0, it is the last of those that
      // existed at the beginning.
      let overflow = Intake<NATSEntry>.Overflow.latest(key: { $0.key }, merge: { $1.pending = $0.pending })
      let intake = Intake(overflow, source: watch) {}
      intake.introduce(subscriber.erased(), name: "Watch")
      watch.start(intake)
    }
  }
#endif
