// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What a bucket of keys and values keeps, where, and for how long.
  public struct NATSBucketConfiguration: Sendable, Hashable {
    /// The name.
    public var name: String
    /// How many values of a key are kept: 1 to 64.
    public var history = 1
    /// How long a value is kept; `nil` for ever.
    public var maxAge: Duration?
    /// How many bytes are kept; `nil` for any number.
    public var maxBytes: Int?
    /// How many bytes a value may have; `nil` for what the server takes.
    public var maxValueSize: Int?
    /// Where values are kept.
    public var storage = StreamConfiguration.Storage.file
    /// How many servers keep each value: 1, 3 or 5.
    public var replicas = 1

    /// Makes a configuration in which everything else is as said above.
    ///
    /// - Parameter name: The name.
    public init(_ name: String) { self.name = name }

    /// A bucket is a stream, with a subject for each key.
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
