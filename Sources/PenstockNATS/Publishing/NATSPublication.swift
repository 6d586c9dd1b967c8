// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A message for a stream, with the conditions that the server checks before it keeps the message.
  public struct NATSPublication: Sendable, Hashable {
    /// The subject to which it is published.
    public var subject: String
    /// The bytes of the message.
    public var payload: [UInt8]
    /// A name for the message, by which the stream keeps it once within its `duplicateWindow`; `nil` to generate one.
    public var id: String?
    /// The headers that are published with the payload, by name: all values of each, in their order.
    public var headerValues: [String: [String]]

    /// The headers that are published with the payload, by name; the first value of a name that has several.
    ///
    /// Setting it removes the other values.
    public var headers: [String: String] {
      get { headerValues.first }
      set { headerValues = [String: [String]](newValue) }
    }
    /// The expected number of the last message of the stream; with another one, the message is refused.
    public var expectedLastSequence: UInt64?
    /// The expected number of the last message on the same subject, 0 for none; with another one, the message is
    /// refused.
    public var expectedLastSubjectSequence: UInt64?

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: The subject to which it is published.
    ///   - id: A name for it, such as the number of the order that it is about.
    ///   - headers: The headers that are published with it.
    public init(_ payload: [UInt8], to subject: String, id: String? = nil, headers: [String: String] = [:]) {
      self.payload = payload
      self.subject = subject
      self.id = id
      headerValues = [String: [String]](headers)
    }
  }

  /// The confirmation of the server that a stream keeps a message.
  public struct PublishConfirmation: Sendable, Hashable {
    /// The name of the stream.
    public var stream: String
    /// The number of the message in it.
    public var sequence: UInt64
    /// Whether the stream already had a message with the same id, and keeps only that one.
    public var isDuplicate: Bool

    /// Creates a confirmation, for a test.
    public init(stream: String, sequence: UInt64, isDuplicate: Bool = false) {
      self.stream = stream
      self.sequence = sequence
      self.isDuplicate = isDuplicate
    }
  }
#endif
