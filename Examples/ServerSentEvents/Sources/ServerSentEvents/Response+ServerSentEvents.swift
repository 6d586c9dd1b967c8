// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Hummingbird
import ServiceLifecycle

extension Response {
  /// A response that sends events for as long as there are any, the client listens and the server isn't to stop.
  ///
  /// The subscription behind the sequence ends with each of the three. The head of the response leaves with the first
  /// event, so begin with a comment where the others may take their time.
  ///
  /// - Parameters:
  ///   - events: The events. One is asked for when the one before it has been written.
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
          // The client has gone. There is nobody to tell.
        }
        try await writer.finish(nil)
      })
  }
}
