// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A message for a stream, and what the server is to look at before it keeps it.
  public struct NATSPublication: Sendable, Hashable {
    /// Where it is published.
    public var subject: String
    /// The bytes.
    public var payload: [UInt8]
    /// A name for the message, by which the stream keeps it once within its `duplicateWindow`; `nil` for one of its
    /// own.
    public var id: String?
    /// What is published beside the payload, by name: all values of each, in their order.
    public var headerValues: [String: [String]]

    /// What is published beside the payload, by name; the first value of a name that has several.
    ///
    /// To set it forgets the other values.
    public var headers: [String: String] {
      get { headerValues.first }
      set { headerValues = [String: [String]](newValue) }
    }
    /// The number of the last message of the stream, without which it is refused.
    public var expectedLastSequence: UInt64?
    /// The number of the last message on the same subject, without which it is refused; 0 for none.
    public var expectedLastSubjectSequence: UInt64?

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: Where it is published.
    ///   - id: A name for it, such as that of the order that it is about.
    ///   - headers: What is published beside it.
    public init(_ payload: [UInt8], to subject: String, id: String? = nil, headers: [String: String] = [:]) {
      self.payload = payload
      self.subject = subject
      self.id = id
      headerValues = [String: [String]](headers)
    }
  }

  /// What the server says when a stream keeps a message.
  public struct PublishConfirmation: Sendable, Hashable {
    /// The name of the stream.
    public var stream: String
    /// The number of the message in it.
    public var sequence: UInt64
    /// Whether the stream had a message with the same id, and keeps only that.
    public var isDuplicate: Bool

    /// Makes a confirmation, as a test needs one.
    public init(stream: String, sequence: UInt64, isDuplicate: Bool = false) {
      self.stream = stream
      self.sequence = sequence
      self.isDuplicate = isDuplicate
    }
  }
#endif
