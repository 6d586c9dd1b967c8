// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
import NIOHTTPTypes

/// Closes a connection in which data to be written has not moved on for a while.
///
/// A visitor that doesn't read holds up its own stream, which waits for it. That is right as long as the visitor may
/// come back; after that the stream's resources are released.
final class WriteDeadline: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private var unfinished = 0
  private var deadline: Scheduled<Void>?

  init(_ limit: TimeAmount) { self.limit = limit }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    unfinished += 1
    if deadline == nil { start(in: context) }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.unfinished -= 1
      self.stop()
      if self.unfinished > 0, context.channel.isActive { self.start(in: context) }
    }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func start(in context: ChannelHandlerContext) {
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
  }

  private func stop() {
    deadline?.cancel()
    deadline = nil
  }
}
