// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import Testing

  /// The program openssl, if the machine has it.
  let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  let needsOpenssl: Comment = "The programs nats-server and openssl make it."

  /// Runs openssl, and returns its output.
  @discardableResult
  func runOpenssl(_ arguments: String...) throws -> [UInt8] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: openssl!)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(output)
  }

  /// A folder for the files of one test, which ends with this object.
  final class TestFolder: Sendable {
    private let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("penstock-keys-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func write(_ text: String, to name: String) throws -> String {
      try text.write(toFile: path(name), atomically: true, encoding: .utf8)
      return path(name)
    }
  }

  /// A key of NATS, made for one test, which can sign.
  struct NATSKey {
    /// The kind of owner of a key: the first five bits of its name.
    enum Owner: UInt8 {
      case account = 0
      case operators = 112
      case user = 160
    }

    let name: String
    let seed: String
    private let folder: TestFolder
    private let file: String

    init(of owner: Owner, in folder: TestFolder) throws {
      self.folder = folder
      file = folder.path("\(UUID().uuidString).der")
      try runOpenssl("genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", file)
      let secret = try Array(Data(contentsOf: URL(fileURLWithPath: file))).suffix(32)
      let open = try runOpenssl("pkey", "-inform", "DER", "-in", file, "-pubout", "-outform", "DER").suffix(32)
      // The first ten bits of a seed say that it is a seed, and of which owner; the first five of a public key name the
      // owner.
      seed = Self.encode([144 | (owner.rawValue >> 5), (owner.rawValue & 31) << 3] + secret)
      name = Self.encode([owner.rawValue] + open)
    }

    /// A token that says something about another key, signed with this one.
    func token(about subject: NATSKey, _ claims: String) throws -> String {
      let head = Self.text(of: Array("{\"typ\":\"JWT\",\"alg\":\"ed25519-nkey\"}".utf8))
      let body = """
        {"jti":"\(UUID().uuidString)","iat":\(Int(Date().timeIntervalSince1970)),"iss":"\(name)","name":"test",\
        "sub":"\(subject.name)","nats":\(claims)}
        """
      let signed = head + "." + Self.text(of: Array(body.utf8))
      let text = try folder.write(signed, to: "signed")
      let signature = try runOpenssl("pkeyutl", "-sign", "-rawin", "-inkey", file, "-keyform", "DER", "-in", text)
      return signed + "." + Self.text(of: signature)
    }

    /// Returns base 64 that may be part of an address.
    private static func text(of bytes: [UInt8]) -> String {
      Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Encodes five bits in each character, with a checksum at the end.
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
#endif
