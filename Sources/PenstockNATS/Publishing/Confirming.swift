// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Publishes messages until a stream confirms them.
  internal struct Confirming: Sendable {
    internal let client: NATSClient
    /// The greatest number of times that a message is sent.
    internal let attempts: Int
    internal let timeout: Duration

    internal static let idHeader = "Nats-Msg-Id"

    /// Returns the message to send; it has an id, so that it may be sent again.
    internal func outgoing(_ publication: NATSPublication) throws(NATSError) -> Outgoing {
      var (headers, madeID) = (publication.headerValues, String?.none)
      if let id = publication.id {
        headers[Self.idHeader] = [id]
      } else if attempts > 1, headers[Self.idHeader] == nil {
        madeID = client.replies.makeID()
      }
      if let last = publication.expectedLastSequence { headers["Nats-Expected-Last-Sequence"] = [String(last)] }
      if let last = publication.expectedLastSubjectSequence {
        headers["Nats-Expected-Last-Subject-Sequence"] = [String(last)]
      }
      return try client.outgoing(publication.payload, to: publication.subject, headers: headers, madeID: madeID)
    }

    /// Whether it may help to send a message again.
    private func mayRepeat(_ error: NATSError) -> Bool {
      if client.events.isClosed { return false }
      return switch error.reason {
      case .noResponse, .noResponders, .disconnected, .jetStreamUnavailable: true
      default: false
      }
    }

    /// Publishes a message, and waits until the server has kept it.
    internal func publish(_ publication: NATSPublication) async throws(NATSError) -> PublishConfirmation {
      let message = try outgoing(publication)
      await client.writer.waitForRoom()
      do throws(NATSError) {
        return try await result { cancellation, done in send(message, cancellation, done) }.get()
      } catch {
        // A cancel ends the pause between two attempts.
        throw Task.isCancelled && mayRepeat(error)
          ? NATSError(.cancelled, "The task has been cancelled; the message may have been kept.") : error
      }
    }

    /// Publishes a message, and calls a closure when the server has kept it.
    internal func publish(
      _ publication: NATSPublication, _ done: @escaping @Sendable (Result<PublishConfirmation, NATSError>) -> Void
    ) {
      do throws(NATSError) {
        send(try outgoing(publication), nil, done)
      } catch {
        done(.failure(error))
      }
    }

    private func send(
      _ message: Outgoing, _ cancellation: Cancellation?,
      _ done: @escaping @Sendable (Result<PublishConfirmation, NATSError>) -> Void
    ) {
      Attempts<PublishConfirmation, NATSError>(attempts, mayRepeat: { mayRepeat($0) }) { cancellation, done in
        client.replies.send(message, timeout, cancellation) { answer in
          done(
            answer.flatMap { answer in
              Result { () throws(NATSError) in try PublishConfirmation(answer: answer.payload, message.subject) }
            })
        }
      }
      .run(1, cancellation) { result, attempt in done(result.mapError { named($0, message, attempt) }) }
    }

    private func named(_ error: NATSError, _ message: Outgoing, _ attempt: Int) -> NATSError {
      guard error.reason == .noResponders else { return error }
      return NATSError(
        .noResponders,
        """
        No stream keeps \(message.subject), or it has no leader at present (\(attempt) attempts): create a stream with \
        that subject.
        """,
        code: error.code)
    }
  }

  extension PublishConfirmation {
    private struct Answer: Decodable {
      let stream: String
      let seq: UInt64
      let duplicate: Bool?
    }

    package init(answer: NATSMessage, _ subject: String) throws(NATSError) {
      self = try answer.payload.withUnsafeBytes { bytes in
        Result { () throws(NATSError) in try Self(answer: bytes, subject) }
      }.get()
    }

    internal init(answer: UnsafeRawBufferPointer, _ subject: String) throws(NATSError) {
      if let quick = Self(quick: answer) {
        self = quick
      } else {
        let answer = try API.decode(Array(answer), as: Answer.self, "Can't publish to \(subject)")
        self.init(stream: answer.stream, sequence: answer.seq, isDuplicate: answer.duplicate ?? false)
      }
    }

    /// Reads the answer of the server to nearly every message, `{"stream":"S", "seq":12}`, without a decoder.
    ///
    /// - Returns: `nil` for anything else.
    package init?(quick payload: UnsafeRawBufferPointer) {
      var rest = payload[...]
      func take(_ text: StaticString, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let count = text.utf8CodeUnitCount
        let matches = text.withUTF8Buffer { rest.prefix(count).elementsEqual($0) }
        if matches { rest = rest.dropFirst(count) }
        return matches
      }
      guard take("{\"stream\":", &rest) else { return nil }
      _ = take(" ", &rest)
      guard take("\"", &rest), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      let name = rest[..<end]
      // A name has no characters that JSON escapes.
      if name.contains(UInt8(ascii: "\\")) { return nil }
      rest = rest[(end + 1)...]
      guard take(",", &rest) else { return nil }
      _ = take(" ", &rest)
      guard take("\"seq\":", &rest) else { return nil }
      _ = take(" ", &rest)
      var sequence: UInt64 = 0
      var digits = 0
      while let byte = rest.first, (0x30...0x39).contains(byte), digits < 19 {
        sequence = sequence * 10 + UInt64(byte - 0x30)
        digits += 1
        rest = rest.dropFirst()
      }
      guard digits > 0, take("}", &rest), rest.isEmpty else { return nil }
      self.init(stream: String(decoding: name, as: UTF8.self), sequence: sequence)
    }
  }
#endif
