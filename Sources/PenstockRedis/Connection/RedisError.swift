// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency

  /// An error of a command to Redis, or of a stream from it.
  public struct RedisError: Error, Hashable, CustomStringConvertible {
    /// The reason of an error.
    public enum Reason: Sendable, Hashable {
      /// The server can't be reached, and could not be within the time limit: nothing has been sent.
      case unreachable
      /// The link was lost, or the server silent for too long, after the command had been sent.
      case disconnected
      /// The connection has been closed by ``RedisConnection/close()``, or was freed.
      case closed
      /// The task or the subscriber was cancelled.
      case cancelled
      /// The name, the password or the rights of the user do not suffice.
      case accessDenied
      /// There is no such stream, or the stream has no such group.
      case noGroup
      /// The server has reached its `maxmemory`.
      case outOfMemory
      /// The server is a replica, which takes no writes.
      case readOnly
      /// The key has a value of another type.
      case wrongType
      /// An argument that Redis, or this module, can't use; nothing has been sent.
      case invalidArgument
      /// The server has not been reached for longer than the stream may wait.
      case outage
      /// The consumer has entries that are not settled, which would be lost with it.
      case pendingEntries
      /// Any other error of the server, by the first word of its message.
      case other(code: String)
    }

    /// The reason of the error.
    public let reason: Reason
    /// A text that says what has happened, and what to do.
    public let description: String

    /// Whether the command may have been carried out all the same, so that sending it again may do it twice.
    public var mayHaveBeenCarriedOut: Bool { reason == .disconnected }

    internal init(_ reason: Reason, _ description: String) {
      self.reason = reason
      self.description = description
    }

    /// Makes the error for an error reply of the server.
    internal init(reply text: String) {
      let code = String(text.prefix { $0 != " " })
      (reason, description) =
        switch code {
        case "NOGROUP":
          (.noGroup, "There is no such stream or group: call makeGroup(stream:group:from:) first. \(text)")
        case "UNBLOCKED" where text.contains("no longer exists"):
          (.noGroup, "The stream has been deleted while it was read: make the group again. \(text)")
        case "WRONGPASS", "NOAUTH", "NOPERM":
          (.accessDenied, "The server does not let this user do that: check name, password and ACL. \(text)")
        case "OOM": (.outOfMemory, "The server's memory is used up: raise maxmemory, or trim streams. \(text)")
        case "READONLY", "UNBLOCKED": (.readOnly, "The server is a replica: connect to the primary. \(text)")
        case "WRONGTYPE": (.wrongType, "The key has no stream: use another key, or delete what it has. \(text)")
        default: (.other(code: code), "The server replies: \(text)")
        }
    }

    internal static func replica(_ place: String) -> Self {
      RedisError(.readOnly, "\(place) is a replica, and takes no writes: wait until one of the servers does.")
    }

    /// Whether the server may be there again later, or another one in its place.
    internal func isPassing(hosts: Int) -> Bool {
      switch reason {
      case .unreachable, .disconnected, .other(code: "LOADING"), .other(code: "MASTERDOWN"): true
      case .readOnly: hosts > 1
      default: false
      }
    }

    internal static let closed = RedisError(.closed, "The connection is closed: make another one.")

    internal static func disconnected(_ text: String?) -> Self {
      RedisError(
        .disconnected,
        "The link was lost before the reply, so the command may have been carried out: \(text ?? "it is closed").")
    }

    /// The error that the settlement of a delivery throws for it.
    internal var asDeliveryError: DeliveryError {
      switch reason {
      case .unreachable, .disconnected, .closed, .readOnly: DeliveryError(.closed, description)
      default: DeliveryError(.refused, description)
      }
    }
  }
#endif
