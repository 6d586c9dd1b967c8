// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency

  /// Why a command to Redis, or a stream from it, has failed.
  public struct RedisError: Error, Hashable, CustomStringConvertible {
    /// What has happened.
    public enum Reason: Sendable, Hashable {
      /// The server can't be reached, and could not be within the time limit: nothing has been sent.
      case unreachable
      /// The link was lost, or the server silent for too long, after the command had been sent.
      case disconnected
      /// The connection has been closed by ``RedisConnection/close()``, or was freed.
      case closed
      /// The task was cancelled, or the subscriber.
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
      /// An argument that Redis, or this module, has no use for; nothing has been sent.
      case invalidArgument
      /// Any other error of the server, by the first word of its message.
      case other(code: String)
    }

    /// What has happened.
    public let reason: Reason
    /// What has happened in words, and what to do.
    public let description: String

    /// Whether the command may have been carried out all the same, so that to send it again may do it twice.
    public var mayHaveBeenCarriedOut: Bool { reason == .disconnected }

    internal init(_ reason: Reason, _ description: String) {
      self.reason = reason
      self.description = description
    }

    /// The error that a server has replied with.
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

    internal static let closed = RedisError(.closed, "The connection is closed: make another one.")

    internal static func disconnected(_ text: String?) -> Self {
      RedisError(
        .disconnected,
        "The link was lost before the reply, so the command may have been carried out: \(text ?? "it is closed").")
    }

    /// What becomes of it when a delivery is settled.
    internal var asDeliveryError: DeliveryError {
      switch reason {
      case .unreachable, .disconnected, .closed: DeliveryError(.closed, description)
      default: DeliveryError(.refused, description)
      }
    }
  }
#endif
