// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import TestSupport

  /// A server on the loopback address that speaks the protocol by a test's script, and keeps everything that clients
  /// send.
  final class FakeServer: Sendable {
    struct Client: Sendable {
      fileprivate let socket: Int32

      func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          let sent = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
          guard sent > 0 else { return }
          rest = rest.dropFirst(sent)
        }
      }

      /// Sends a message on a subject.
      func message(_ subject: String, sid: String, reply: String? = nil, _ payload: String = "") {
        send("MSG \(subject) \(sid) \(reply.map { $0 + " " } ?? "")\(payload.utf8.count)\r\n\(payload)\r\n")
      }

      /// Sends a message that reports about a request.
      func status(_ subject: String, sid: String, _ line: String, _ headers: String...) {
        let text = (["NATS/1.0 \(line)"] + headers + ["", ""]).joined(separator: "\r\n")
        send("HMSG \(subject) \(sid) \(text.utf8.count) \(text.utf8.count)\r\n\(text)\r\n")
      }
    }

    let port: Int
    private let socket: Int32
    private let seen = Locked("")

    /// - Parameters:
    ///   - info: Further contents of the first line of the server.
    ///   - onLine: The reaction of the server to a line of a client, except for pings, which are always answered.
    init(info: String = "", onLine: @escaping @Sendable (Client, String) -> Void = { _, _ in }) throws {
      (socket, port) = try RawClient.bindToFreePort()
      guard listen(socket, 8) == 0 else { throw RawClient.NoConnection() }
      let (listener, seen) = (socket, seen)
      let greeting =
        "INFO {\"server_id\":\"F\",\"version\":\"2.9.0\",\"headers\":true,\"max_payload\":1048576,\"jetstream\":true\(info)}\r\n"
      Thread.detachNewThread {
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0 else {
            // Only here, where nobody accepts any more: another server may get the number of a closed socket.
            close(listener)
            return
          }
          Thread.detachNewThread {
            let client = Client(socket: client)
            client.send(greeting)
            Self.serve(client, seen, onLine)
            close(client.socket)
          }
        }
      }
    }

    var address: String { "127.0.0.1:\(port)" }

    /// Everything that clients have sent.
    var text: String { seen.value }

    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Client, _ seen: Locked<String>, _ onLine: (Client, String) -> Void) {
      var rest = ""
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(client.socket, &buffer, buffer.count)
        if count <= 0 { return }
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        seen.change { $0 += text }
        rest += text
        while let end = rest.firstIndex(where: \.isNewline) {
          let line = String(rest[..<end])
          rest = String(rest[rest.index(after: end)...])
          if line == "PING" { client.send("PONG\r\n") } else { onLine(client, line) }
        }
      }
    }
  }
#endif
