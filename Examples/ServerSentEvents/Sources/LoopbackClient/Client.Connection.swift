// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import NIOCore
public import NIOHTTP1

extension Client {
  /// A connection that stays open between two requests.
  public struct Connection {
    var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    /// Sends a request, and reads all of its response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, with its query.
    ///   - body: The body, if there is to be one.
    /// - Returns: The status, and the body as text.
    public mutating func request(
      _ method: HTTPMethod, _ path: String, body: ByteBuffer? = nil
    ) async throws -> (status: HTTPResponseStatus, text: String) {
      try await send(method, path, body: body)
      guard case .head(let head)? = try await parts.next() else { throw ConnectionClosed() }
      var text = ""
      while case .body(let bytes)? = try await parts.next() { text += String(buffer: bytes) }
      return (head.status, text)
    }

    func send(_ method: HTTPMethod, _ path: String, body: ByteBuffer?, as type: String? = nil) async throws {
      var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
      head.headers.add(name: "Host", value: "127.0.0.1")
      if let type { head.headers.add(name: "Content-Type", value: type) }
      if let body { head.headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
      var request: [HTTPClientRequestPart] = [.head(head)]
      if let body { request.append(.body(.byteBuffer(body))) }
      try await outbound.write(contentsOf: request + [.end(nil)])
    }
  }
}
