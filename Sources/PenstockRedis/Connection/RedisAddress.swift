// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency

  /// The place of a Redis server.
  public struct RedisHost: Sendable, Hashable, CustomStringConvertible {
    /// Its name or address.
    public var name: String
    /// Its port.
    public var port: Int

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - name: Its name or address.
    ///   - port: Its port.
    public init(_ name: String, port: Int = 6_379) {
      self.name = name
      self.port = port
    }

    /// The name and the port, such as `10.0.0.7:6379`.
    public var description: String { "\(name):\(port)" }

    /// A password must not be sent unencrypted for a caller that has asked for TLS, so an address is not accepted as a
    /// host.
    internal func check() throws(RedisError) {
      if name.isEmpty { throw RedisError(.invalidArgument, "The host is empty: name one.") }
      guard let scheme = ServerAddress(name).scheme else { return }
      throw RedisError(
        .invalidArgument,
        scheme == "rediss"
          ? """
          This module has no TLS, which rediss:// asks for: connect to a proxy on this machine that speaks TLS to the server, \
          such as stunnel, by its host and port. Nothing has been sent.
          """
          : "Give the host and the port, the user and the password by themselves, and not as an address. Nothing has been sent."
      )
    }
  }

  /// The servers of a connection, one of which takes writes, and the first commands that are sent to it.
  internal struct RedisAddress: Sendable {
    internal let hosts: [RedisHost]
    internal var timeout: Duration
    internal let greeting: [[[UInt8]]]
  }

  // The description omits the greeting, which has the password.
  extension RedisAddress: CustomStringConvertible, CustomReflectable {
    internal var description: String { hosts.map(\.description).joined(separator: ", ") }
    internal var customMirror: Mirror { Mirror(self, children: ["hosts": hosts]) }
  }
#endif
