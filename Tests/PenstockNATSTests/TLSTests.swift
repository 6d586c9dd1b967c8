// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere && openssl != nil, needsOpenssl)) struct TLSTests {
    /// Makes a certificate that signs itself, with its key.
    private func makeCertificate(
      _ name: String, of subject: String = "DNS:localhost,IP:127.0.0.1", in folder: TestFolder
    ) throws {
      try runOpenssl(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
        "subjectAltName=\(subject)", "-keyout", folder.path("\(name)-key.pem"), "-out",
        folder.path("\(name).pem"))
    }

    private func reason(_ server: NATSServer, _ tls: NATSOptions.TLS?) async -> NATSError.Reason? {
      await error {
        let connection = try await NATSConnection.connect(to: [server.address], options: NATSOptions(tls: tls))
        try await connection.publish("x", to: "a")
        try await connection.flush()
      }?.reason
    }

    @Test func `A certificate is believed when its authority is, and not otherwise`() async throws {
      let folder = try TestFolder()
      try makeCertificate("server", in: folder)
      let server = try await NATSServer.start(
        "tls {", "  cert_file: \"\(folder.path("server.pem"))\"", "  key_file: \"\(folder.path("server-key.pem"))\"",
        "}")
      defer { server.stop() }
      let authority = folder.path("server.pem")
      #expect(await reason(server, NATSOptions.TLS(authorityFile: authority)) == nil)
      #expect(await reason(server, NATSOptions.TLS()) == .tls)
      #expect(await reason(server, NATSOptions.TLS(authorityFile: folder.path("nowhere.pem"))) == .tls)
      #expect(await reason(server, NATSOptions.TLS(authorityFile: authority, expectedHost: "elsewhere")) == .tls)
      #expect(await reason(server, nil) == .tls)
      // The address says it, too; the system's authorities don't know this one.
      func secure(_ tls: NATSOptions.TLS?, _ host: String = "127.0.0.1") async -> NATSError.Reason? {
        await error {
          _ = try await NATSConnection.connect(
            to: ["tls://\(host):\(server.port)"], options: NATSOptions(tls: tls))
        }?.reason
      }
      #expect(await secure(NATSOptions.TLS(authorityFile: authority)) == nil)
      #expect(await secure(nil) == .tls)
      // From memory.
      var remembered = NATSOptions.TLS()
      remembered.authority = try String(contentsOfFile: authority, encoding: .utf8)
      #expect(await reason(server, remembered) == nil)
      remembered.authority = "nonsense"
      #expect(await reason(server, remembered) == .tls)
      var open = NATSOptions.TLS()
      open.acceptsAnyCertificateAndIsInsecure = true
      #expect(await reason(server, open) == nil)
    }

    @Test(arguments: ["tls", "nats"])
    func `A certificate of somebody else is not believed, whoever has signed it`(_ scheme: String) async throws {
      let folder = try TestFolder()
      try makeCertificate("elsewhere", of: "DNS:elsewhere,IP:127.0.0.9", in: folder)
      let server = try await NATSServer.start(
        "tls {", "  cert_file: \"\(folder.path("elsewhere.pem"))\"",
        "  key_file: \"\(folder.path("elsewhere-key.pem"))\"", "}")
      defer { server.stop() }
      for host in ["127.0.0.1", "localhost"] {
        let failure = await error {
          _ = try await NATSConnection.connect(
            to: ["\(scheme)://\(host):\(server.port)"],
            options: NATSOptions(tls: NATSOptions.TLS(authorityFile: folder.path("elsewhere.pem"))))
        }
        #expect(failure?.reason == .tls, "\(host)")
      }
      let expected = NATSOptions.TLS(authorityFile: folder.path("elsewhere.pem"), expectedHost: "elsewhere")
      #expect(await reason(server, expected) == nil)
    }

    @Test func `Where the server asks for a certificate, it lets in who has one that it believes`() async throws {
      let folder = try TestFolder()
      for name in ["server", "client", "stranger"] { try makeCertificate(name, in: folder) }
      let server = try await NATSServer.start(
        "tls {", "  cert_file: \"\(folder.path("server.pem"))\"", "  key_file: \"\(folder.path("server-key.pem"))\"",
        "  ca_file: \"\(folder.path("client.pem"))\"", "  verify: true", "}")
      defer { server.stop() }
      func tls(_ certificate: String?, _ key: String?) -> NATSOptions.TLS {
        NATSOptions.TLS(
          authorityFile: folder.path("server.pem"), certificateFile: certificate.map { folder.path($0) },
          keyFile: key.map { folder.path($0) })
      }
      #expect(await reason(server, tls("client.pem", "client-key.pem")) == nil)
      // A certificate that the server does not trust, none at all, a key of another certificate, and a missing file.
      #expect(await reason(server, tls("stranger.pem", "stranger-key.pem")) == .tls)
      #expect(await reason(server, tls(nil, nil)) == .tls)
      #expect(await reason(server, tls("client.pem", "stranger-key.pem")) == .tls)
      #expect(await reason(server, tls("client.pem", nil)) == .tls)
      #expect(await reason(server, tls("nowhere.pem", "client-key.pem")) == .tls)
      var remembered = NATSOptions.TLS(authorityFile: folder.path("server.pem"))
      remembered.certificate = try String(contentsOfFile: folder.path("client.pem"), encoding: .utf8)
      remembered.key = try String(contentsOfFile: folder.path("client-key.pem"), encoding: .utf8)
      #expect(await reason(server, remembered) == nil)
      remembered.key = try String(contentsOfFile: folder.path("stranger-key.pem"), encoding: .utf8)
      #expect(await reason(server, remembered) == .tls)

      // A connection that is made again shows the certificate again.
      var options = NATSOptions(tls: tls("client.pem", "client-key.pem"))
      options.reconnectWait = .milliseconds(50)
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let states = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(states)
      server.kill()
      try await server.start()
      #expect(await reached { states.values.contains(.reconnected(to: server.address)) })
      try await connection.flush()
      connection.close()
    }
  }
#endif
