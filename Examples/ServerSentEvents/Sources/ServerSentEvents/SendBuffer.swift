// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore

/// Limits what the system keeps of a connection that its client doesn't read.
///
/// Linux lets the buffer of a socket grow to megabytes: a stream of events would hear of its reader's stop much later,
/// and each such reader would cost that much.
final class SendBuffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  func handlerAdded(context: ChannelHandlerContext) {
    // A channel without a socket has no such option; it is one of a test's.
    try? context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(bytes))
  }
}
