// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
  /// Returns HTTP/1.1 for a server whose responses are streams of events: it closes connections of clients that do
  /// nothing.
  ///
  /// | a client that | is |
  /// |---|---|
  /// | listens while there are no events | sent a comment at an interval |
  /// | doesn't read | waited for by its own stream, and closed when data written to it has not moved on for a while |
  /// | sends its request byte by byte | closed when that takes too long |
  /// | is connected and asks for nothing | closed as late as that |
  ///
  /// **Concurrency:** no task is added for a connection. The stream of a client that is closed ends as if it had left.
  ///
  /// - Parameters:
  ///   - heartbeat: How long a stream of events is quiet before a comment is written.
  ///   - writeLimit: How long written data may take to move on.
  ///   - requestLimit: How long a request may take to arrive, its head and its body each.
  ///   - sendBuffer: How many bytes the system keeps of what a client has not read. Linux takes twice as many.
  /// - Returns: The server builder for an application.
  public static func eventStreams(
    heartbeat: Duration = .seconds(15), writeLimit: Duration = .seconds(60), requestLimit: Duration = .seconds(10),
    sendBuffer: Int = 128 * 1024
  ) -> HTTPServerBuilder {
    let (beat, write) = (TimeAmount(heartbeat), TimeAmount(writeLimit))
    let request = TimeAmount(requestLimit)
    return .http1(
      configuration: .init(
        // Data that a handler writes passes the handlers before it: so a heartbeat has a deadline as well.
        additionalChannelHandlers: [
          SendBuffer(sendBuffer), WriteDeadline(write), Heartbeat(every: beat), RequestDeadline(request),
        ],
        idleTimeout: request))
  }
}
