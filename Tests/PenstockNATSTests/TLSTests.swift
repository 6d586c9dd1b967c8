// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Suite(.enabled(if: NATSServer.isThere && openssl != nil, "The programs nats-server and openssl make it."))
  struct TLSTests {
    /// Makes a certificate that signs itself.
    private func makeCertificate(in folder: URL) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: openssl!)
      process.arguments = [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=penstock", "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder.appendingPathComponent("key.pem").path, "-out",
        folder.appendingPathComponent("cert.pem").path,
      ]
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    @Test func `A certificate is believed when its authority is, and not otherwise`() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("penstock-tls-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try makeCertificate(in: folder)
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      let server = try await NATSServer.start(
        "tls {", "  cert_file: \"\(path("cert.pem"))\"", "  key_file: \"\(path("key.pem"))\"", "}")
      defer { server.stop() }
      func reason(_ tls: NATSOptions.TLS?) async -> NATSError.Reason? {
        await error {
          let connection = try await NATSConnection.connect(to: [server.address], options: NATSOptions(tls: tls))
          try await connection.publish("x", to: "a")
          try await connection.flush()
        }?.reason
      }
      #expect(await reason(NATSOptions.TLS(authorityFile: path("cert.pem"))) == nil)
      #expect(await reason(NATSOptions.TLS()) == .tls)
      #expect(await reason(NATSOptions.TLS(authorityFile: path("nowhere.pem"))) == .tls)
      #expect(await reason(NATSOptions.TLS(authorityFile: path("cert.pem"), expectedHost: "elsewhere")) == .tls)
      #expect(await reason(nil) == .tls)
      var open = NATSOptions.TLS()
      open.acceptsAnyCertificateAndIsInsecure = true
      #expect(await reason(open) == nil)
    }
  }
#endif
