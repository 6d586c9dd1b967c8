// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A message that a stream keeps, with its place.
  public struct NATSStreamMessage: Sendable, Hashable {
    /// The name of the stream.
    public var stream: String
    /// The number of the message in its stream.
    public var sequence: UInt64
    /// The number of messages that were to come after this one; 0 for a single message.
    public var pending: Int
    /// The message.
    public var message: NATSMessage

    /// The bytes of the message.
    public var payload: [UInt8] { message.payload }
    /// The bytes of the message as text.
    public var text: String { message.text }
    /// The subject to which it has been published.
    public var subject: String { message.subject }
    /// The headers that have been published with it; the first value of a name that has several.
    public var headers: [String: String] { message.headers }
  }

  extension NATSConnection {
    /// Returns a message of a stream, by its number.
    ///
    /// ```swift
    /// let kept = try await connection.publishConfirmed(Array("tea".utf8), to: "orders.drinks")
    /// print(try await connection.message(kept.sequence, stream: "ORDERS")?.text ?? "none")
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: The number.
    ///   - stream: The stream.
    /// - Returns: The message; `nil` if the stream has none with that number, or not any more.
    /// - Throws: A ``NATSError``: no such stream, no answer.
    public func message(_ sequence: UInt64, stream: String) async throws(NATSError) -> NATSStreamMessage? {
      try await client.message(.init(seq: sequence), stream)
    }

    /// Returns the last message of a subject.
    ///
    /// - Parameters:
    ///   - subject: The subject, which may have wildcards.
    ///   - stream: The stream.
    /// - Returns: The message; `nil` if the stream has none.
    /// - Throws: A ``NATSError``: an invalid subject, no such stream, no answer.
    public func lastMessage(of subject: String, stream: String) async throws(NATSError) -> NATSStreamMessage? {
      try Names.check(pattern: subject)
      return try await client.message(.init(last_by_subj: subject), stream)
    }

    /// Deletes a message of a stream.
    ///
    /// - Parameters:
    ///   - sequence: The number of the message.
    ///   - stream: The stream.
    ///   - erases: Whether its bytes are overwritten, which takes longer.
    /// - Returns: Whether there was such a message.
    /// - Throws: A ``NATSError``: no such stream, a stream that `deniesDelete`, no answer.
    @discardableResult
    public func deleteMessage(
      _ sequence: UInt64, stream: String, erases: Bool = false
    ) async throws(NATSError) -> Bool {
      do throws(NATSError) {
        return try await client.ask(
          "STREAM.MSG.DELETE", of: stream, Deletion(seq: sequence, no_erase: !erases),
          to: "delete the message \(sequence) of", as: API.Deletion.self
        ).success
      } catch  where error.reason == .messageNotFound {
        return false
      }
    }

    private struct Deletion: Encodable {
      let seq: UInt64
      let no_erase: Bool
    }

  }

  /// The question for a single message.
  internal struct MessageQuery: Encodable {
    internal var seq: UInt64?
    internal var last_by_subj: String?
    /// The first message of this subject, at the number or after it.
    internal var next_by_subj: String?
  }

  private struct Stored: Decodable {
    struct Message: Decodable {
      let subject: String
      let seq: UInt64
      let data: String?
      let hdrs: String?
    }

    let message: Message
  }

  extension NATSClient {
    internal func message(_ query: MessageQuery, _ stream: String) async throws(NATSError) -> NATSStreamMessage? {
      let stored: Stored.Message
      do throws(NATSError) {
        stored = try await ask("STREAM.MSG.GET", of: stream, query, to: "get a message of", as: Stored.self).message
      } catch  where error.reason == .messageNotFound {
        return nil
      }
      var message = NATSMessage(API.bytes(stored.data), subject: stored.subject)
      for line in String(decoding: API.bytes(stored.hdrs), as: UTF8.self).split(whereSeparator: \.isNewline) {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = String(line[line.index(after: colon)...].drop { $0 == " " })
        message.headerValues[String(line[..<colon]), default: []].append(value)
      }
      return NATSStreamMessage(stream: stream, sequence: stored.seq, pending: 0, message: message)
    }
  }
#endif
