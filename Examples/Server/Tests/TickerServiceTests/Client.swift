// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
import NIOHTTP1
import NIOPosix

/// A client that reads a response while it comes.
struct Client {
  let port: Int

  /// What a response has brought so far.
  struct Response {
    let status: HTTPResponseStatus
    private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private var text = ""

    init(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator) async throws {
      self.parts = parts
      guard case .head(let head)? = try await self.parts.next() else { throw ConnectionClosed() }
      status = head.status
    }

    /// The next block of lines that an empty line ends.
    ///
    /// - Returns: The lines, or `nil` if the server has ended the response.
    mutating func block() async throws -> String? {
      while true {
        if let end = text.firstRange(of: "\n\n") {
          defer { text.removeSubrange(..<end.upperBound) }
          return String(text[..<end.lowerBound])
        }
        guard case .body(let bytes)? = try await parts.next() else { return nil }
        text += String(buffer: bytes)
      }
    }

    /// All of the body.
    mutating func rest() async throws -> String {
      while case .body(let bytes)? = try await parts.next() { text += String(buffer: bytes) }
      return text
    }
  }

  struct ConnectionClosed: Error {}

  /// Sends a request and hands over the response.
  ///
  /// The connection is closed when `read` returns.
  func request<Result: Sendable>(
    _ method: HTTPMethod, _ path: String, body: String? = nil,
    _ read: sending (inout Response) async throws -> sending Result
  ) async throws -> Result {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
      head.headers.add(name: "Host", value: "127.0.0.1")
      if let body { head.headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
      try await outbound.write(.head(head))
      if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body)))) }
      try await outbound.write(.end(nil))
      var response = try await Response(inbound.makeAsyncIterator())
      return try await read(&response)
    }
  }
}
