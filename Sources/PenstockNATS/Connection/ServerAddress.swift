// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The address of a server, taken apart: `scheme://user:password@host:port`, of which only the host is required.
  internal struct ServerAddress {
    /// The text before `://`, in small letters; `nil` if there is none.
    internal let scheme: String?
    /// The user and the password, or a token.
    internal let userInfo: Substring?
    /// The host and the port.
    internal let place: Substring

    internal init(_ text: String) {
      var rest = text[...]
      var scheme: String?
      if let end = rest.firstIndex(of: ":"), rest[end...].hasPrefix("://") {
        scheme = rest[..<end].lowercased()
        rest = rest[end...].dropFirst(3)
      }
      self.scheme = scheme
      // A password may have an @, too.
      if let at = rest.lastIndex(of: "@") {
        userInfo = rest[..<at]
        place = rest[rest.index(after: at)...]
      } else {
        userInfo = nil
        place = rest
      }
    }

    /// Whether it asks for a secure connection.
    internal var isSecure: Bool { scheme == "tls" }

    /// The address as it may be shown to anybody.
    internal var text: String { (scheme.map { $0 + "://" } ?? "") + place }

    internal func check() throws(NATSError) {
      switch scheme {
      case nil, "nats", "tls": break
      case "ws", "wss":
        throw NATSError(
          .invalidName,
          "The address \(text) is one for WebSockets, which the C client can't do: use nats:// or tls://.")
      case .some(let scheme):
        throw NATSError(
          .invalidName, "The scheme \(scheme) of the address \(text) is not known: use nats://, or tls:// for TLS.")
      }
      if place.isEmpty { throw NATSError(.invalidName, "An address of a server has no host: write nats://host:4222.") }
      if let userInfo { try Names.check(option: String(userInfo), "user or password of an address") }
    }
  }

  extension String {
    /// A text of the C client, without the passwords of the addresses in it.
    internal var withoutSecrets: String {
      if !contains("@") { return self }
      return split(separator: " ", omittingEmptySubsequences: false)
        .map { word in word.contains("@") ? ServerAddress(String(word)).text : String(word) }
        .joined(separator: " ")
    }
  }
#endif
