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
#endif
