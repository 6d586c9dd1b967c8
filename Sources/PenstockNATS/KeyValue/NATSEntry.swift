// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A value of a key, or the fact that the key has no value any more.
  public struct NATSEntry: Sendable, Hashable {
    /// What has happened to the key.
    public enum Operation: Sendable, Hashable {
      /// It has been given a value.
      case put
      /// It has been deleted.
      case delete
      /// It has been deleted, with its earlier values.
      case purge
    }

    /// The name of the bucket.
    public var bucket: String
    /// The key.
    public var key: String
    /// The bytes; none if it has been deleted.
    public var value: [UInt8]
    /// The number of the change in its bucket, which `update(_:for:revision:)` asks for.
    public var revision: UInt64
    /// What has happened to the key.
    public var operation: Operation
    /// The number of entries that were to come after this one, or after the one in whose place it came: 0 when a
    /// watcher has seen all that existed at the beginning.
    public var pending: Int

    /// The bytes as text in UTF-8, with replacement characters for bytes that are not UTF-8.
    public var text: String { String(decoding: value, as: UTF8.self) }

    internal init?(_ bucket: String, _ delivery: NATSDelivery) {
      self.init(bucket, delivery.message, delivery.sequence, pending: delivery.pending)
    }

    internal init?(_ bucket: String, _ message: NATSMessage, _ revision: UInt64, pending: Int = 0) {
      let prefix = "$KV.\(bucket)."
      guard message.subject.hasPrefix(prefix) else { return nil }
      self.bucket = bucket
      key = String(message.subject.dropFirst(prefix.count))
      value = message.payload
      self.revision = revision
      operation =
        switch message.headers["KV-Operation"] {
        case "DEL": .delete
        case "PURGE": .purge
        default: .put
        }
      self.pending = pending
    }
  }
#endif
