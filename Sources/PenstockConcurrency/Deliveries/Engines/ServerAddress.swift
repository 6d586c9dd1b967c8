// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The address of a server, taken apart: `scheme://user:password@host:port`, of which only the host is required.
package struct ServerAddress {
  /// The text before `://`, in small letters; `nil` if there is none.
  package let scheme: String?
  /// The user and the password, or a token.
  package let userInfo: Substring?
  /// The host and the port.
  package let place: Substring

  package init(_ text: String) {
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
  package var isSecure: Bool { scheme == "tls" }

  /// The address as it may be shown to anybody.
  package var text: String { (scheme.map { $0 + "://" } ?? "") + place }
}

extension String {
  /// The text without the passwords of the addresses in it.
  package var withoutSecrets: String {
    if !contains("@") { return self }
    return split(separator: " ", omittingEmptySubsequences: false)
      .map { word in word.contains("@") ? ServerAddress(String(word)).text : String(word) }
      .joined(separator: " ")
  }
}
