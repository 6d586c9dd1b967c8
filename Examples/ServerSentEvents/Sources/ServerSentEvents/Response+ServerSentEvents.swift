// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Hummingbird
import ServiceLifecycle

extension Response {
  /// Returns a response that sends events until they end, the client stops listening, or the server is to stop.
  ///
  /// The subscription behind the sequence ends in each of the three cases. The head of the response leaves with the
  /// first event, so begin with a comment if the events may take a while.
  ///
  /// - Parameters:
  ///   - events: The events. The next one is requested when the previous one has been written.
  ///   - request: The request. Its body is used up.
  /// - Returns: The response.
  public static func serverSentEvents<Events: AsyncSequence & Sendable>(
    _ events: Events, to request: Request
  ) -> Response where Events.Element == ServerSentEvent {
    Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        do {
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for try await event in events.cancelOnGracefulShutdown() { try await writer.write(event.frame) }
          }
        } catch is CancellationError {
          // The client has gone. There is no one to tell.
        }
        try await writer.finish(nil)
      })
  }
}
