// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore

/// Limits what the system buffers for a connection whose client doesn't read.
///
/// Linux lets the buffer of a socket grow to megabytes: a stream of events would notice much later that its reader has
/// stopped, and each such reader would cost that much.
final class SendBuffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  func handlerAdded(context: ChannelHandlerContext) {
    // A channel without a socket, such as a test's, has no such option.
    try? context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(bytes))
  }
}
