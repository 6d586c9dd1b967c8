// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// An error of an operation with a NATS server.
  public struct NATSError: Error, Hashable, CustomStringConvertible {
    /// The reason of an error.
    public enum Reason: Sendable, Hashable {
      /// A subject, a name, a header or an option that is invalid: nothing has been sent.
      case invalidName
      /// No server can be reached.
      case noServer
      /// The server does not let this client in.
      case authorization
      /// The server does not let this client use the subject.
      case permissions
      /// The secure connection can't be made.
      case tls
      /// The connection is closed, or being drained.
      case closed
      /// There is no connection at present.
      case disconnected
      /// No answer came in time.
      case noResponse
      /// Nobody listens to the subject.
      case noResponders
      /// The payload is larger than the server takes.
      case payloadTooLarge
      /// There is no such stream.
      case streamNotFound
      /// There is no such consumer.
      case consumerNotFound
      /// The consumer has been deleted while it was used.
      case consumerDeleted
      /// There is no such message, or no such key.
      case messageNotFound
      /// A stream, consumer, bucket or key of this name exists, with another content.
      case nameInUse
      /// The last message is not the expected one: somebody else has published.
      case wrongLastSequence
      /// Storage, memory or another resource of the server is used up.
      case insufficientResources
      /// The server or the account has no JetStream, or none at present.
      case jetStreamUnavailable
      /// More is asked for than the consumer allows.
      case limitExceeded
      /// The subscriber is too slow for a subscription that must not drop anything.
      case overflow
      /// The consumer has been silent for longer than the stream may wait.
      case outage
      /// The server refuses for another reason: see the code.
      case refused
      /// The server's answer can't be understood.
      case badResponse
      /// The task has been cancelled.
      case cancelled
      /// The C client reports something else.
      case client
    }

    /// The reason of the error.
    public let reason: Reason

    /// The server's code of the error, if it gave one: codes of JetStream have five digits.
    public let code: Int?

    /// A text that says what has happened, and what to do.
    public let description: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason of the error.
    ///   - description: A text that says what has happened, and what to do.
    ///   - code: The server's code.
    public init(_ reason: Reason, _ description: String, code: Int? = nil) {
      self.reason = reason
      self.description = description
      self.code = code
    }
  }
#endif
