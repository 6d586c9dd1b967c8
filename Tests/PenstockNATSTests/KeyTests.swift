// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// A key of a user, made for one test.
  private struct UserKey {
    let seed: String
    let name: String

    init(_ openssl: String, in folder: URL) throws {
      let file = folder.appendingPathComponent("key.der").path
      func run(_ arguments: String...) throws -> [UInt8] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: openssl)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(output)
      }
      _ = try run("genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", file)
      let secret = try Array(Data(contentsOf: URL(fileURLWithPath: file))).suffix(32)
      let open = try run("pkey", "-inform", "DER", "-in", file, "-pubout", "-outform", "DER").suffix(32)
      // A seed says in its first ten bits that it is one, and of a user; a public key in its first five of whom.
      seed = Self.encode([149, 0] + secret)
      name = Self.encode([160] + open)
    }

    /// With a checksum behind it, five bits for each character.
    private static func encode(_ bytes: [UInt8]) -> String {
      var sum: UInt16 = 0
      for byte in bytes {
        sum ^= UInt16(byte) << 8
        for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
      }
      let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
      var (text, rest, count) = ("", 0, 0)
      for byte in bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)] {
        rest = rest << 8 | Int(byte)
        count += 8
        while count >= 5 {
          text.append(letters[rest >> (count - 5) & 31])
          count -= 5
        }
        rest &= (1 << count) - 1
      }
      if count > 0 { text.append(letters[rest << (5 - count) & 31]) }
      return text
    }
  }

  private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Suite(.enabled(if: NATSServer.isThere && openssl != nil, "The programs nats-server and openssl make it."))
  struct KeyTests {
    @Test func `A key lets in who has its seed`() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("penstock-key-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (key, other) = (try UserKey(openssl!, in: folder), try UserKey(openssl!, in: folder))
      let server = try await NATSServer.start("authorization {", "  users = [", "    {nkey: \(key.name)}", "  ]", "}")
      defer { server.stop() }
      func reason(_ name: String, _ seed: String) async throws -> NATSError.Reason? {
        let file = folder.appendingPathComponent("seed").path
        try seed.write(toFile: file, atomically: true, encoding: .utf8)
        return await error {
          let options = NATSOptions(authentication: .nkey(public: name, seedFile: file))
          let connection = try await NATSConnection.connect(to: [server.address], options: options)
          try await connection.flush()
        }?.reason
      }
      #expect(try await reason(key.name, key.seed) == nil)
      #expect(try await reason(key.name, other.seed) == .authorization)
      #expect(try await reason(other.name, other.seed) == .authorization)
      #expect(try await reason(key.name, "nonsense") != nil)
    }
  }
#endif
