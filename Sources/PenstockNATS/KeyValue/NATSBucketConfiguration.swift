// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The configuration of a bucket of keys and values: what it keeps, where, and for how long.
  public struct NATSBucketConfiguration: Sendable, Hashable {
    /// The name of the bucket.
    public var name: String
    /// The number of values that are kept for each key: 1 to 64.
    public var history = 1
    /// How long a value is kept after its change, its time to live; `nil` for no limit.
    ///
    /// Watchers are not told about values that end that way.
    public var maxAge: Duration?
    /// The greatest number of bytes that are kept; `nil` for any number.
    public var maxBytes: Int?
    /// The greatest number of bytes of a value; `nil` for what the server takes.
    public var maxValueSize: Int?
    /// Where values are kept.
    public var storage = StreamConfiguration.Storage.file
    /// The number of servers that keep each value: 1, 3 or 5.
    public var replicas = 1

    /// Creates a configuration with the defaults above for everything else.
    ///
    /// - Parameter name: The name.
    public init(_ name: String) { self.name = name }

    /// The stream that the bucket is, with a subject for each key.
    internal var stream: StreamConfiguration {
      var stream = StreamConfiguration("KV_\(name)", subjects: ["$KV.\(name).>"])
      stream.maxMessagesPerSubject = history
      stream.maxAge = maxAge
      stream.maxBytes = maxBytes
      stream.maxMessageSize = maxValueSize
      stream.storage = storage
      stream.replicas = replicas
      stream.discard = .new
      stream.allowsRollup = true
      stream.deniesDelete = true
      if let maxAge, maxAge < .seconds(120) { stream.duplicateWindow = maxAge }
      return stream
    }
  }
#endif
