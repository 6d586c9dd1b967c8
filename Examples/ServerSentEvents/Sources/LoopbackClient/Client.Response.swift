// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
public import NIOHTTP1

extension Client {
  /// A response, as far as it has arrived.
  public struct Response {
    /// The status.
    public let status: HTTPResponseStatus
    /// The fields of its head.
    public let headers: HTTPHeaders

    private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private var waiting = ByteBuffer()
    /// How many of the waiting bytes have been examined.
    private var seen = 0

    init(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator) async throws {
      self.parts = parts
      guard case .head(let head)? = try await self.parts.next() else { throw ConnectionClosed() }
      (status, headers) = (head.status, head.headers)
    }

    /// Returns the next block of lines that an empty line ends.
    ///
    /// - Returns: The lines, or `nil` if the server has ended the response.
    public mutating func block() async throws -> String? {
      while true {
        let bytes = waiting.readableBytesView
        // The end may have begun in the previous part.
        var rest = bytes[bytes.index(bytes.startIndex, offsetBy: max(0, seen - 1))...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end + 1 < bytes.endIndex {
          if bytes[end + 1] == UInt8(ascii: "\n") {
            let text = String(buffer: waiting.readSlice(length: end - bytes.startIndex)!)
            waiting.moveReaderIndex(forwardBy: 2)
            waiting.discardReadBytes()
            seen = 0
            return text
          }
          rest = bytes[(end + 1)...]
        }
        seen = waiting.readableBytes
        guard case .body(var part)? = try await parts.next() else { return nil }
        waiting.writeBuffer(&part)
      }
    }

    /// Returns the rest of the body.
    public mutating func rest() async throws -> String {
      while case .body(var part)? = try await parts.next() { waiting.writeBuffer(&part) }
      return String(buffer: waiting)
    }
  }
}
