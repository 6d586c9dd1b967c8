// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What becomes of a connection.
  public enum NATSConnectionState: Sendable, Hashable {
    /// It has been made.
    case connected(to: String)
    /// It is lost, for a reason in the words of the client.
    case disconnected(reason: String)
    /// Servers are tried, until the limit of the options.
    case reconnecting
    /// It has been made again. What was published meanwhile has been sent; what was on its way may be lost.
    case reconnected(to: String)
    /// Messages of a subscription have been dropped, so many so far.
    case slowConsumer(subject: String, dropped: Int)
    /// The server has reported an error that ends nothing, such as a subject that may not be used.
    case failed(NATSError)
    /// The server will stop soon, and clients should go elsewhere; with several servers this one does by itself.
    case lameDuck
    /// It has been closed, by this side or since the limit is reached: the last state.
    case closed
  }
#endif
