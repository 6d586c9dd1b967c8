// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
import NIOHTTPTypes

/// Writes a comment into a stream of events in which nothing has been written for a while.
///
/// Writing reveals that a visitor has vanished, and proxies close connections that they consider idle. A handler of the
/// channel needs neither a task for each visitor nor a turn of the stream: a pipeline that waits for its visitor isn't
/// asked for anything.
final class Heartbeat: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let interval: TimeAmount
  private var next: Scheduled<Void>?
  private var isQuiet = true

  init(every interval: TimeAmount) { self.interval = interval }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      if head.headerFields[.contentType]?.hasPrefix("text/event-stream") == true { schedule(in: context) }
    case .body:
      isQuiet = false
    case .end:
      stop()
    }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func schedule(in context: ChannelHandlerContext) {
    isQuiet = true
    next = context.eventLoop.assumeIsolated().scheduleTask(in: interval) {
      // Data that already waits to be written will reveal as much.
      if self.isQuiet, context.channel.isWritable {
        context.writeAndFlush(
          self.wrapOutboundOut(.body(ServerSentEvent(comment: "still here").frame)), promise: nil)
      }
      self.schedule(in: context)
    }
  }

  private func stop() {
    next?.cancel()
    next = nil
  }
}
