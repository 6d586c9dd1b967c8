// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
import NIOHTTPTypes

/// Closes a connection on which a request takes too long to arrive.
///
/// A client that sends a byte now and then is never idle, and would hold the memory for its unfinished request for
/// ever.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let limit: TimeAmount
  private var deadline: Scheduled<Void>?

  init(_ limit: TimeAmount) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    case .body:
      break
    case .end:
      stop()
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    deadline?.cancel()
    deadline = nil
  }
}
