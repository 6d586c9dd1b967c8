// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The options of a connection.
  ///
  /// ```swift
  /// var options = NATSOptions(name: "orders")
  /// options.authentication = .credentialsFile("orders.creds")
  /// options.pingInterval = .seconds(5)
  /// ```
  public struct NATSOptions: Sendable, Hashable {
    /// The identity with which a client authenticates.
    ///
    /// Its secrets appear in no description, no mirror and no error.
    public enum Authentication: Sendable, Hashable {
      case user(String, password: String)
      case token(String)
      /// The public key of a user, and a file with its seed.
      case nkey(public: String, seedFile: String)
      /// The public key of a user, and its seed.
      case nkeySeed(public: String, seed: String)
      /// A file with the token and the seed that an account has given a user.
      case credentialsFile(String)
      /// The content of such a file, as a store of secrets keeps it.
      case credentials(String)
    }

    /// The rules of an encrypted connection, and of the certificates that it trusts.
    ///
    /// Certificates and keys are PEM, in files or as text; if both are given, the text counts.
    public struct TLS: Sendable, Hashable {
      /// A file with the certificates of the authorities that may sign the server's; `nil` for those of the system.
      public var authorityFile: String?
      /// The certificates of the authorities that may sign the server's.
      public var authority: String?
      /// Files with this client's certificate and its key, if the server asks for them.
      public var certificateFile: String?
      public var keyFile: String?
      /// This client's certificate.
      public var certificate: String?
      /// The key of this client's certificate, which is in no description and no mirror.
      public var key: String?
      /// The name that the server's certificate has to have; `nil` for that of the address.
      public var expectedHost: String?
      /// Whether any certificate is accepted: then anybody in between can read and change everything.
      public var acceptsAnyCertificateAndIsInsecure = false

      /// Creates rules with which the server's certificate is verified.
      public init(
        authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil,
        expectedHost: String? = nil
      ) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.expectedHost = expectedHost
      }
    }

    /// The time at which published messages are written to the socket.
    public enum Sending: Sendable, Hashable {
      /// At once: a request takes only as long as the network.
      case immediate
      /// Collected for up to a millisecond: fewer system calls for many small messages, each of which is sent later.
      case batched
    }

    /// The name by which the server's reports call the connection.
    public var name: String?
    /// The identity of the client; `nil` for none, or for the user in the address.
    public var authentication: Authentication?
    /// How the connection is encrypted; `nil` for not at all, unless an address begins with `tls://`.
    ///
    /// With one such address the client uses TLS for all servers, even for those with `nats://`. A server without TLS
    /// is refused before any secret has been sent.
    public var tls: TLS?
    /// How long an attempt to connect may take.
    public var connectTimeout = Duration.seconds(2)
    /// How long the answer to a request may take, unless the call says otherwise.
    public var requestTimeout = Duration.seconds(5)
    /// The interval at which the client checks that the server is alive.
    public var pingInterval = Duration.seconds(10)
    /// The number of these checks that may be unanswered: with one more, the connection counts as lost.
    ///
    /// So an unreported cut is noticed after the interval times this number plus one.
    public var maxPingsOut = 2
    /// How long a server that could not be reached is left alone.
    public var reconnectWait = Duration.seconds(1)
    /// The amount by which that wait varies, so that not all clients come at once.
    public var reconnectJitter = Duration.milliseconds(100)
    /// How often each server is tried before the connection is closed for good; `nil` for no limit, so that the
    /// connection outlasts any outage.
    public var reconnectLimit: Int?
    /// The number of bytes that are kept to be sent when the connection is made again; beyond that, publishing fails.
    public var reconnectBufferSize = 8 << 20
    /// How long a write may take before the connection counts as lost.
    public var writeTimeout = Duration.seconds(10)
    /// The time at which published messages are written to the socket.
    public var sending = Sending.immediate
    /// The beginning of the subjects of the JetStream API: `$JS.<domain>.API` for the JetStream of a domain.
    public var jetStreamPrefix = "$JS.API"

    /// Creates options.
    ///
    /// - Parameters:
    ///   - name: The name of the connection.
    ///   - authentication: The identity of the client.
    ///   - tls: How the connection is encrypted.
    public init(name: String? = nil, authentication: Authentication? = nil, tls: TLS? = nil) {
      self.name = name
      self.authentication = authentication
      self.tls = tls
    }
  }
#endif
