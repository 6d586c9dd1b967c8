// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A message of NATS.
  public struct NATSMessage: Sendable, Hashable {
    /// The subject to which it has been published.
    public var subject: String

    /// The subject on which an answer is expected.
    public var reply: String?

    /// The headers that have been published with the payload, by name: all values of each, in their order.
    public var headerValues: [String: [String]]

    /// The headers that have been published with the payload, by name; the first value of a name that has several.
    ///
    /// Setting it removes the other values.
    public var headers: [String: String] {
      get { headerValues.first }
      set { headerValues = [String: [String]](newValue) }
    }

    /// The bytes of the message.
    public var payload: [UInt8]

    /// The bytes as text in UTF-8, with replacement characters for bytes that are not UTF-8.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// Creates a message, for a test.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: The subject to which it has been published.
    ///   - reply: The subject on which an answer is expected.
    ///   - headers: The headers that have been published with the payload.
    public init(_ payload: [UInt8], subject: String, reply: String? = nil, headers: [String: String] = [:]) {
      self.payload = payload
      self.subject = subject
      self.reply = reply
      headerValues = [String: [String]](headers)
    }
  }

  extension [String: [String]] {
    /// Headers with one value each.
    internal init(_ headers: [String: String]) { self = headers.mapValues { [$0] } }

    /// The first value of each.
    internal var first: [String: String] { compactMapValues(\.first) }
  }
#endif
