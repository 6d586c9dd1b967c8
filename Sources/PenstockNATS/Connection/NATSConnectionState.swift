// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The state of a connection.
  public enum NATSConnectionState: Sendable, Hashable {
    /// The connection has been made.
    case connected(to: String)
    /// The connection is lost, for a reason in the words of the client.
    case disconnected(reason: String)
    /// Servers are tried, until the limit of the options.
    case reconnecting
    /// The connection has been made again. Messages that were published meanwhile have been sent; those that were on
    /// their way may be lost.
    case reconnected(to: String)
    /// A subscription has dropped messages, `dropped` of them so far.
    case slowConsumer(subject: String, dropped: Int)
    /// The server has reported an error that ends nothing, such as a subject that may not be used.
    case failed(NATSError)
    /// The server will stop soon, and clients should go elsewhere; with several servers this client does so on its own.
    case lameDuck
    /// The connection has been closed, by this side or at the limit of the options: the last state.
    case closed
  }
#endif
