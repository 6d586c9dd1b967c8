// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  // Texts that are printed, dumped or shown by an inspector end in logs, so they leave out passwords, tokens, seeds and
  // keys.

  extension NATSOptions.Authentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identity of the client, without its secrets.
    public var description: String {
      switch self {
      case .user(let name, _): "user \(name)"
      case .token: "token"
      case .nkey(let key, let file): "nkey \(key), seed in \(file)"
      case .nkeySeed(let key, _): "nkey \(key)"
      case .credentialsFile(let file): "credentials in \(file)"
      case .credentials: "credentials"
      }
    }

    /// The same text as the description.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
  }

  extension NATSOptions.TLS: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private var shown: [(label: String?, value: Any)] {
      [
        ("authorityFile", authorityFile as Any), ("authority", authority == nil ? "none" : "given"),
        ("certificateFile", certificateFile as Any), ("keyFile", keyFile as Any),
        ("certificate", certificate == nil ? "none" : "given"), ("key", key == nil ? "none" : "given"),
        ("expectedHost", expectedHost as Any),
        ("acceptsAnyCertificateAndIsInsecure", acceptsAnyCertificateAndIsInsecure),
      ]
    }

    /// The rules, without keys.
    public var description: String {
      "TLS(" + shown.map { "\($0.label!): \($0.value)" }.joined(separator: ", ") + ")"
    }

    /// The same text as the description.
    public var debugDescription: String { description }

    /// A mirror without keys.
    public var customMirror: Mirror { Mirror(self, children: shown, displayStyle: .struct) }
  }
#endif
