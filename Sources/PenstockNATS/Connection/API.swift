// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Requests to the API of JetStream, which are JSON.
  internal enum API {
    internal struct Failure: Decodable {
      let code: Int
      let errorCode: Int?
      let description: String?

      private enum CodingKeys: String, CodingKey {
        case code, description
        case errorCode = "err_code"
      }
    }

    internal struct Answer: Decodable {
      let error: Failure?
    }

    /// The content of a request that needs none.
    internal struct Nothing: Codable {}

    /// The answer to a request that deletes something.
    internal struct Deletion: Decodable { internal let success: Bool }

    internal static func encode(_ body: some Encodable) throws(NATSError) -> [UInt8] {
      do {
        return Array(try JSONEncoder().encode(body))
      } catch {
        throw NATSError(.badResponse, "A request can't be written as JSON: \(error).")
      }
    }

    /// The bytes of a text in Base64; none if there is no text.
    internal static func bytes(_ text: String?) -> [UInt8] {
      text.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }

    internal static func decode<Value: Decodable>(
      _ payload: [UInt8], as type: Value.Type = Value.self, _ action: String
    ) throws(NATSError) -> Value {
      let answer: Result<Value, NATSError>
      do {
        let data = Data(payload)
        if let failure = try JSONDecoder().decode(Answer.self, from: data).error {
          answer = .failure(NATSError(failure, action))
        } else {
          answer = .success(try JSONDecoder().decode(Value.self, from: data))
        }
      } catch {
        answer = .failure(NATSError(.badResponse, "\(action): the server's answer can't be understood: \(error)."))
      }
      return try answer.get()
    }
  }

  extension NATSClient {
    /// Sends a request to the API of JetStream, and returns the answer.
    ///
    /// - Parameters:
    ///   - subject: The subject after the prefix.
    ///   - body: The content of the request.
    ///   - action: What is being done, for errors.
    internal func ask<Value: Decodable>(
      _ subject: String, _ body: some Encodable, _ action: String, as type: Value.Type = Value.self
    ) async throws(NATSError) -> Value {
      let bytes = body is API.Nothing ? [] : try API.encode(body)
      let message = Outgoing(subject: "\(options.jetStreamPrefix).\(subject)", payload: bytes)
      try check(message)
      let answer: NATSMessage
      do throws(NATSError) {
        answer = try await replies.request(message, options.requestTimeout)
      } catch  where error.reason == .noResponders {
        throw NATSError(
          .jetStreamUnavailable,
          "\(action): no JetStream answers. Start the server with JetStream, and see the domain.",
          code: 503)
      }
      return try API.decode(answer.payload, action)
    }
  }

  extension NATSClient {
    /// Asks about a stream or one of its consumers, whose names are checked, and returns the answer.
    ///
    /// - Parameters:
    ///   - request: The subject after the prefix and before the names.
    ///   - stream: The name of the stream.
    ///   - consumer: The name of the consumer; `nil` for a request about the stream.
    ///   - body: The content of the request.
    ///   - action: What is done with the stream or the consumer, for errors.
    internal func ask<Value: Decodable>(
      _ request: String, of stream: String, consumer: String? = nil, _ body: some Encodable = API.Nothing(),
      to action: String, as type: Value.Type = Value.self
    ) async throws(NATSError) -> Value {
      try Names.check(name: stream, of: "stream")
      guard let consumer else {
        return try await ask("\(request).\(stream)", body, "Can't \(action) the stream \(stream)")
      }
      try Names.check(name: consumer, of: "consumer")
      return try await ask(
        "\(request).\(stream).\(consumer)", body, "Can't \(action) the consumer \(consumer) of \(stream)")
    }
  }

  extension NATSClient {
    private struct Page: Encodable {
      let offset: Int
      var subject: String?
    }

    /// Asks for a list, page by page, and returns the parts of all pages.
    internal func list<Part: Decodable, Item>(
      _ subject: String, of filter: String? = nil, _ action: String, _ items: (Part) -> [Item?]
    ) async throws(NATSError) -> [Item] {
      var all: [Item?] = []
      while true {
        let page: Part = try await ask(subject, Page(offset: all.count, subject: filter), action)
        let more = items(page)
        all += more
        // What ends while the server writes the list is a null in it.
        if more.isEmpty { return all.compactMap(\.self) }
      }
    }
  }

  extension NATSError {
    /// Makes the error for a failure that JetStream answers with.
    internal init(_ failure: API.Failure, _ action: String) {
      let code = failure.errorCode ?? failure.code
      let (reason, advice) = Self.meaning(of: code, failure.code)
      let words = failure.description ?? "no description"
      self.init(reason, "\(action): the server says \"\(words)\" (\(code)). \(advice)", code: code)
    }

    /// Returns the meaning of a code of JetStream, and what to do about it.
    private static func meaning(of code: Int, _ status: Int) -> (Reason, String) {
      switch code {
      case 10059: (.streamNotFound, "Create the stream, or see its name and the domain.")
      case 10014, 10149: (.consumerNotFound, "Create the consumer, or see its name.")
      case 10037, 10043, 10057:
        (.messageNotFound, "There is no such message: it may have been deleted, or its limit reached.")
      case 10058, 10013, 10105, 10148: (.nameInUse, "Use the same configuration, update it, or choose another name.")
      case 10071, 10164: (.wrongLastSequence, "Somebody else has published: read again, and decide again.")
      case 10054: (.payloadTooLarge, "Send less, or raise the stream's `maxMessageSize`.")
      case 10002, 10023, 10028, 10047, 10077, 10122:
        (.insufficientResources, "Free storage, raise the limits of the account or the stream, or try later.")
      case 10039, 10076, 10035: (.jetStreamUnavailable, "Turn JetStream on for the server and the account.")
      case 10008, 10009, 10006, 10007: (.jetStreamUnavailable, "The cluster has no leader at present: try again soon.")
      case 10026, 10027: (.insufficientResources, "Delete what is not used, or raise the limit of the account.")
      default:
        status == 503
          ? (.insufficientResources, "Try again later, and see the server's log.")
          : (.refused, "See the configuration.")
      }
    }
  }
#endif
