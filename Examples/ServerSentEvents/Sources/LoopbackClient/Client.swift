// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import NIOCore
public import NIOHTTP1
import NIOPosix

/// A client of a server on this machine, which reads a response while it arrives.
///
/// For tests and measurements: it reads nothing that it isn't asked for, so to simulate a visitor that doesn't read,
/// leave its ``Response`` alone.
///
/// **Concurrency:** any task may use it; what a closure receives belongs to its task.
public struct Client: Sendable {
  /// The port at which the server listens, on the loopback address.
  public let port: Int

  /// Creates a client; it connects when it is used.
  public init(port: Int) { self.port = port }

  /// The other side has closed the connection when a response was due.
  public struct ConnectionClosed: Error {}

  /// Sends a request, and hands over its response.
  ///
  /// The connection is closed when `read` returns.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path, with its query.
  ///   - body: The body, if there is to be one.
  ///   - read: Reads as much of the response as it wants.
  /// - Returns: What `read` returns.
  public func request<Result: Sendable>(
    _ method: HTTPMethod, _ path: String, body: String? = nil, as type: String? = nil,
    _ read: (inout Response) async throws -> Result
  ) async throws -> Result {
    try await connected { connection in
      try await connection.send(method, path, body: body.map { ByteBuffer(string: $0) }, as: type)
      var response = try await Response(connection.parts)
      return try await read(&response)
    }
  }

  /// Opens a connection for several requests, one after the other.
  ///
  /// The connection is closed when `body` returns.
  ///
  /// - Parameter body: A closure that uses the connection.
  /// - Returns: What `body` returns.
  public func connected<Result: Sendable>(
    _ body: (inout Connection) async throws -> Result
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
      var connection = Connection(parts: inbound.makeAsyncIterator(), outbound: outbound)
      return try await body(&connection)
    }
  }

  /// Sends bytes that need not be a request, and waits until the server closes the connection.
  ///
  /// - Parameter bytes: The bytes to send.
  /// - Returns: What the server has sent until then.
  public func send(bytes: ByteBuffer) async throws -> String {
    try await connectedPlainly { inbound, outbound in
      try await outbound.write(bytes)
      var text = ""
      for try await part in inbound { text += String(buffer: part) }
      return text
    }
  }

  /// Sends bytes that need not be a request, and closes the connection without waiting for anything.
  ///
  /// - Parameter bytes: The bytes to send.
  public func tear(after bytes: ByteBuffer) async throws {
    try await connectedPlainly { _, outbound in try await outbound.write(bytes) }
  }

  private func connectedPlainly<Result: Sendable>(
    _ body: (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Result
  ) async throws -> Result {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose(body)
  }
}
