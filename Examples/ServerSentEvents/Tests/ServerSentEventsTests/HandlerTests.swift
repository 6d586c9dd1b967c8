// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerSentEvents

@Suite("The handlers of a connection with events")
struct HandlerTests {
  /// A connection to a client that can stop reading.
  private final class Client: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var isReading = true
    private var waiting: [(NIOAny, EventLoopPromise<Void>?)] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if isReading { context.write(data, promise: promise) } else { waiting.append((data, promise)) }
    }

    func readOne(_ channel: EmbeddedChannel) throws {
      let (data, promise) = waiting.removeFirst()
      try channel.pipeline.syncOperations.context(handler: self).writeAndFlush(data, promise: promise)
    }

    /// Fails the rest, as a closed connection does.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
      context.close(mode: mode, promise: promise)
    }
  }

  private func connect(_ handlers: any ChannelHandler...) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers(handlers)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private func head(_ type: String) -> HTTPResponsePart {
    .head(HTTPResponse(status: .ok, headerFields: [.contentType: type]))
  }

  private let event = HTTPResponsePart.body(ServerSentEvent("e", data: "").frame)

  private func written(_ channel: EmbeddedChannel) throws -> [String] {
    var texts: [String] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      switch part {
      case .head: texts.append("head")
      case .body(let bytes): texts.append(String(String(buffer: bytes).prefix { !$0.isNewline }))
      case .end: texts.append("end")
      }
    }
    return texts
  }

  @Test func `write a comment where a stream is quiet, until it ends`() throws {
    let channel = try connect(Heartbeat(every: .seconds(15)))
    try channel.writeOutbound(head("text/event-stream"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(14))
    #expect(try written(channel) == ["head"])
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(try written(channel) == [": still here"])
    try channel.writeOutbound(event)
    channel.embeddedEventLoop.advanceTime(by: .seconds(15))
    #expect(try written(channel) == ["event: e"])
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    #expect(try written(channel) == [": still here", ": still here"])
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(try written(channel) == ["end"])
  }

  @Test func `write no comment into a page`() throws {
    let channel = try connect(Heartbeat(every: .seconds(15)))
    try channel.writeOutbound(head("text/html"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(try written(channel) == ["head"])
  }

  @Test func `close a connection whose client has stopped to read`() throws {
    let client = Client()
    let channel = try connect(client, WriteDeadline(.seconds(60)))
    try channel.writeOutbound(event)
    channel.embeddedEventLoop.advanceTime(by: .seconds(600))
    #expect(channel.isActive)
    client.isReading = false
    let first = channel.writeAndFlush(event)
    let second = channel.writeAndFlush(event)
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    // The client moves on, and has the whole time for the rest.
    try client.readOne(channel)
    try first.wait()
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    #expect(throws: ChannelError.self) { try second.wait() }
  }

  @Test func `close a connection whose request takes too long`() throws {
    let request = HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "here", path: "/"))
    let quick = try connect(RequestDeadline(.seconds(10)))
    try quick.writeInbound(request)
    try quick.writeInbound(HTTPRequestPart.end(nil))
    quick.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(quick.isActive)
    let slow = try connect(RequestDeadline(.seconds(10)))
    try slow.writeInbound(request)
    for _ in 1...9 {
      slow.embeddedEventLoop.advanceTime(by: .seconds(1))
      try slow.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
    }
    #expect(slow.isActive)
    slow.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!slow.isActive)
  }
}
