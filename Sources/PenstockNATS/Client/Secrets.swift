// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockCore

  /// The credentials with which a client proves its identity, in memory.
  internal struct Credentials: Sendable {
    /// The token of the user, which the account has signed.
    internal var token: String?
    /// The public key of the user, if there is no token with it.
    internal var key: String?
    /// The key with which the server's questions are signed.
    internal var seed: String

    internal init(key: String, seed: String) { (self.key, self.seed) = (key, seed) }

    /// Reads the text that `nsc` writes into a file: a token and a seed, each between a line that begins it and one
    /// that ends it.
    internal init(_ text: String) throws(NATSError) {
      var parts: [String] = []
      var isInside = false
      for line in text.split(whereSeparator: \.isNewline) {
        if line.hasPrefix("---") {
          isInside = line.contains("BEGIN")
          if isInside { parts.append("") }
        } else if isInside {
          parts[parts.count - 1] += line.filter { !$0.isWhitespace }
        }
      }
      guard parts.count == 2, let token = parts.first, let seed = parts.last, !token.isEmpty, seed.hasPrefix("S") else {
        // Without the text, which is secret.
        throw NATSError(
          .invalidName,
          "The credentials are not a token and a seed, each between its lines BEGIN and END, as nsc writes them.")
      }
      try Names.check(option: token, "credentials")
      (self.token, self.seed) = (token, seed)
    }
  }

  extension Credentials: CustomStringConvertible, CustomReflectable {
    internal var description: String { "credentials" }
    internal var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The secrets that the client asks for when it connects; they belong to its events, which it holds until the end.
  internal final class Secrets: Sendable {
    private let credentials = Guarded<Credentials?>(nil)

    internal func use(_ credentials: Credentials, with options: OpaquePointer) -> natsStatus {
      self.credentials.withLock { $0 = credentials }
      let context = Unmanaged.passUnretained(self).toOpaque()
      let sign: natsSignatureHandler = { @Sendable _, signature, length, nonce, context in
        guard let context, let seed = Secrets.of(context)?.seed else { return NATS_INVALID_ARG }
        return nats_Sign(seed, nonce, signature, length)
      }
      guard credentials.token != nil else { return natsOptions_SetNKey(options, credentials.key, sign, context) }
      let token: natsUserJWTHandler = { @Sendable token, _, context in
        guard let context, let text = Secrets.of(context)?.token else { return NATS_INVALID_ARG }
        // The client frees it.
        token?.pointee = copyText(text)
        return NATS_OK
      }
      return natsOptions_SetUserCredentialsCallbacks(options, token, context, sign, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> Credentials? {
      Unmanaged<Secrets>.fromOpaque(context).takeUnretainedValue().credentials.withLock { $0 }
    }
  }
#endif
