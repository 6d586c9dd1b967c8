// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// How a connection is made and kept.
  ///
  /// ```swift
  /// var options = NATSOptions(name: "orders")
  /// options.authentication = .credentialsFile("orders.creds")
  /// options.pingInterval = .seconds(5)
  /// ```
  public struct NATSOptions: Sendable, Hashable {
    /// Who the client is.
    ///
    /// What is secret of it is in no description, no mirror and no error.
    public enum Authentication: Sendable, Hashable {
      case user(String, password: String)
      case token(String)
      /// The public key of a user, and a file with its seed.
      case nkey(public: String, seedFile: String)
      /// The public key of a user, and its seed.
      case nkeySeed(public: String, seed: String)
      /// A file with the token and the seed that an account has given a user.
      case credentialsFile(String)
      /// The content of such a file, as a store of secrets has it.
      case credentials(String)
    }

    /// How the connection is encrypted, and who is believed.
    ///
    /// Certificates and keys are PEM, in files or as text; where there is both, the text counts.
    public struct TLS: Sendable, Hashable {
      /// A file with the certificates of those who may sign the server's; `nil` for those of the system.
      public var authorityFile: String?
      /// The certificates of those who may sign the server's.
      public var authority: String?
      /// Files with this client's certificate and its key, where the server asks for them.
      public var certificateFile: String?
      public var keyFile: String?
      /// This client's certificate.
      public var certificate: String?
      /// The key of this client's certificate, which is in no description and no mirror.
      public var key: String?
      /// The name that the server's certificate has to have; `nil` for that of the address.
      public var expectedHost: String?
      /// Whether any certificate is accepted: then anybody between can read and change everything.
      public var acceptsAnyCertificateAndIsInsecure = false

      /// Makes rules; the server's certificate is verified.
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

    /// When what is published goes to the socket.
    public enum Sending: Sendable, Hashable {
      /// At once: a request takes as long as the network.
      case immediate
      /// Collected for up to a millisecond: fewer calls of the system for many small messages, each of them later.
      case batched
    }

    /// The name by which the server's reports call the connection.
    public var name: String?
    /// Who the client is; `nil` for nobody, or who is named in the address.
    public var authentication: Authentication?
    /// How the connection is encrypted; `nil` for not at all, unless an address begins with `tls://`.
    ///
    /// With one such address all servers are talked to by TLS, those with `nats://` as well. A server that has none is refused
    /// before anything secret has been sent.
    public var tls: TLS?
    /// How long an attempt to connect may take.
    public var connectTimeout = Duration.seconds(2)
    /// How long the answer of a request may take where nothing else is said.
    public var requestTimeout = Duration.seconds(5)
    /// How often the server is asked whether it is there.
    public var pingInterval = Duration.seconds(10)
    /// How many of these questions may be open: with one more, the connection counts as lost.
    ///
    /// So a cut that nobody reports is noticed after the interval times this number and one.
    public var maxPingsOut = 2
    /// How long a server that could not be reached is left alone.
    public var reconnectWait = Duration.seconds(1)
    /// How much that wait varies, so that not all clients come at once.
    public var reconnectJitter = Duration.milliseconds(100)
    /// How often each server is tried before the connection is closed for good; `nil` for ever, so that it outlasts any outage.
    public var reconnectLimit: Int?
    /// How many bytes are kept to be sent when the connection is made again; then publishing fails.
    public var reconnectBufferSize = 8 << 20
    /// How long a write may take before the connection counts as lost.
    public var writeTimeout = Duration.seconds(10)
    /// When what is published goes to the socket.
    public var sending = Sending.immediate
    /// What subjects of the API of JetStream begin with: `$JS.<domain>.API` for the JetStream of a domain.
    public var jetStreamPrefix = "$JS.API"

    /// Makes options.
    ///
    /// - Parameters:
    ///   - name: The name of the connection.
    ///   - authentication: Who the client is.
    ///   - tls: How the connection is encrypted.
    public init(name: String? = nil, authentication: Authentication? = nil, tls: TLS? = nil) {
      self.name = name
      self.authentication = authentication
      self.tls = tls
    }
  }
#endif
