// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency

  extension NATSOptions {
    internal func check(_ servers: [String]) throws(NATSError) {
      if servers.isEmpty { throw NATSError(.invalidName, "There is no server to connect to: name one or more.") }
      for server in servers {
        if server.isEmpty || server.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
          throw NATSError(.invalidName, "An address of a server is empty or has spaces or control characters.")
        }
        try ServerAddress(server).check()
      }
      if let name { try Names.check(option: name, "name") }
      if case .credentials(let text) = authentication { _ = try Credentials(text) }
      for (text, name) in authentication?.texts ?? [] { try Names.check(option: text, name) }
      try Names.check(subject: jetStreamPrefix)
      for (wait, name) in [
        (connectTimeout, "connectTimeout"), (requestTimeout, "requestTimeout"), (pingInterval, "pingInterval"),
        (writeTimeout, "writeTimeout"),
      ] where wait <= .zero {
        throw NATSError(.invalidName, "The option \(name) is \(wait): give a time above zero.")
      }
      if reconnectWait < .zero || reconnectJitter < .zero || maxPingsOut < 1 || reconnectBufferSize < 1 {
        throw NATSError(
          .invalidName, "An option of pings or reconnecting is negative, or a count below one: see NATSOptions.")
      }
    }

    /// Sets options that have been checked.
    ///
    /// - Parameters:
    ///   - options: The options of the C client that are set.
    ///   - servers: The addresses, which have been checked.
    ///   - secrets: The secrets that are kept in memory, and are held as long as the client may ask for them.
    /// - Returns: What is wrong with the options.
    internal func apply(to options: OpaquePointer, _ servers: [String], _ secrets: Secrets) -> NATSError? {
      var pointers = servers.map { UnsafePointer(copyText($0)) }
      defer { for pointer in pointers { if let pointer { freeMemory(UnsafeMutableRawPointer(mutating: pointer)) } } }
      let steps: [(name: String, status: () -> natsStatus)] = [
        ("servers", { natsOptions_SetServers(options, &pointers, Int32(servers.count)) }),
        ("name", { name.map { natsOptions_SetName(options, $0) } ?? NATS_OK }),
        ("authentication", { apply(authentication, to: options, secrets) }),
        ("connectTimeout", { natsOptions_SetTimeout(options, connectTimeout.milliseconds) }),
        ("pingInterval", { natsOptions_SetPingInterval(options, pingInterval.milliseconds) }),
        ("maxPingsOut", { natsOptions_SetMaxPingsOut(options, Int32(clamping: maxPingsOut)) }),
        ("reconnectLimit", { natsOptions_SetMaxReconnect(options, Int32(clamping: reconnectLimit ?? -1)) }),
        ("reconnectWait", { natsOptions_SetReconnectWait(options, reconnectWait.milliseconds) }),
        (
          "reconnectJitter",
          { natsOptions_SetReconnectJitter(options, reconnectJitter.milliseconds, reconnectJitter.milliseconds) }
        ),
        ("reconnectBufferSize", { natsOptions_SetReconnectBufSize(options, Int32(clamping: reconnectBufferSize)) }),
        ("writeTimeout", { natsOptions_SetWriteDeadline(options, writeTimeout.milliseconds) }),
        ("sending", { natsOptions_SetSendAsap(options, sending == .immediate) }),
      ]
      for (name, status) in steps {
        let status = status()
        if status != NATS_OK { return NATSError(status, "The option \(name) can't be set") }
      }
      return rules(for: servers).flatMap { $0.apply(to: options) }
    }

    /// The rules of a secure connection, if there is to be one.
    ///
    /// One address that begins with `tls` makes all of them secure: the client tries one server after the other, and
    /// would send its password to each.
    private func rules(for servers: [String]) -> TLS? {
      tls ?? (servers.contains { ServerAddress($0).isSecure } ? TLS() : nil)
    }

    /// Returns what it means that a secure connection has ended before the server has sent anything.
    ///
    /// In TLS 1.3 a client's handshake is over before the server has looked at the client's certificate: if that is
    /// missing or the server does not accept it, the C client sees no error of the handshake, but an end in the middle
    /// of the protocol.
    internal func refusal(_ status: natsStatus, _ servers: [String], _ action: String) -> NATSError? {
      if rules(for: servers) == nil { return nil }
      switch status {
      case NATS_PROTOCOL_ERROR, NATS_IO_ERROR, NATS_CONNECTION_CLOSED:
        return NATSError(
          .tls,
          """
          \(action): the server has ended the secure connection. If it asks for a certificate, set the `certificateFile` of \
          the options' `tls` to one that it believes, and see the server's log.
          """)
      default: return nil
      }
    }

    private func apply(
      _ authentication: Authentication?, to options: OpaquePointer, _ secrets: Secrets
    ) -> natsStatus {
      switch authentication {
      case .user(let user, let password): natsOptions_SetUserInfo(options, user, password)
      case .token(let token): natsOptions_SetToken(options, token)
      case .nkey(let key, let file): natsOptions_SetNKeyFromSeed(options, key, file)
      case .nkeySeed(let key, let seed): secrets.use(Credentials(key: key, seed: seed), with: options)
      case .credentialsFile(let file): natsOptions_SetUserCredentialsFromFiles(options, file, nil)
      case .credentials(let text):
        (try? Credentials(text)).map { secrets.use($0, with: options) } ?? NATS_INVALID_ARG
      case nil: NATS_OK
      }
    }
  }

  extension NATSOptions.Authentication {
    /// The texts that become part of what the client says, with their names.
    fileprivate var texts: [(String, name: String)] {
      switch self {
      case .user(let user, let password): [(user, "user"), (password, "password")]
      case .token(let token): [(token, "token")]
      case .nkey(let key, let file): [(key, "public key"), (file, "seed file")]
      case .nkeySeed(let key, let seed): [(key, "public key"), (seed, "seed")]
      case .credentialsFile(let file): [(file, "credentials file")]
      case .credentials: []
      }
    }
  }

  extension NATSOptions.TLS {
    internal func apply(to options: OpaquePointer) -> NATSError? {
      let steps: [(name: String, status: () -> natsStatus)] = [
        ("tls", { natsOptions_SetSecure(options, true) }),
        (
          "authority",
          {
            if let authority { return natsOptions_SetCATrustedCertificates(options, authority) }
            return authorityFile.map { natsOptions_LoadCATrustedCertificates(options, $0) } ?? NATS_OK
          }
        ),
        (
          "certificate",
          {
            if let certificate { return natsOptions_SetCertificatesChain(options, certificate, key ?? certificate) }
            return certificateFile.map { natsOptions_LoadCertificatesChain(options, $0, keyFile ?? $0) } ?? NATS_OK
          }
        ),
        ("expectedHost", { expectedHost.map { natsOptions_SetExpectedHostname(options, $0) } ?? NATS_OK }),
        (
          "acceptsAnyCertificateAndIsInsecure",
          { acceptsAnyCertificateAndIsInsecure ? natsOptions_SkipServerVerification(options, true) : NATS_OK }
        ),
      ]
      for (name, status) in steps where status() != NATS_OK {
        return NATSError(.tls, "The option \(name) can't be set: see that the file is there, and that it is PEM.")
      }
      return nil
    }
  }

  extension ServerAddress {
    fileprivate func check() throws(NATSError) {
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
#endif
