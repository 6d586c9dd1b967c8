// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A message of NATS.
  public struct NATSMessage: Sendable, Hashable {
    /// Where it has been published.
    public var subject: String

    /// Where an answer is expected.
    public var reply: String?

    /// What has been published beside the payload, by name: all values of each, in their order.
    public var headerValues: [String: [String]]

    /// What has been published beside the payload, by name; the first value of a name that has several.
    ///
    /// To set it forgets the other values.
    public var headers: [String: String] {
      get { headerValues.first }
      set { headerValues = [String: [String]](newValue) }
    }

    /// The bytes.
    public var payload: [UInt8]

    /// The bytes as text in UTF-8, with replacement characters where they are none.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// Makes a message, as a test needs one.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: Where it has been published.
    ///   - reply: Where an answer is expected.
    ///   - headers: What has been published beside the payload.
    public init(_ payload: [UInt8], subject: String, reply: String? = nil, headers: [String: String] = [:]) {
      self.payload = payload
      self.subject = subject
      self.reply = reply
      headerValues = [String: [String]](headers)
    }
  }
#endif
