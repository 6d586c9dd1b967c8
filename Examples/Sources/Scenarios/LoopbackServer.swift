// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// A server's response to a request.
enum ScriptedAnswer: Sendable {
  /// Closes the connection without a response.
  case hangUp
  /// Responds with a status code and a text.
  case send(status: Int, String)
}

/// An HTTP server on the loopback address, on a free port, that responds to a number of requests.
///
/// It takes one connection after the other, on a thread of its own, which ends with the last request, or after a minute
/// without one.
final class LoopbackServer: Sendable {
  /// The requests, as they arrive: the path of each, and its response.
  ///
  /// They are sent on the server's thread.
  let requests = PassthroughSubject<(path: String, answer: ScriptedAnswer), Never>()

  private let port: UInt16

  /// Counts the responses that the client has confirmed.
  private let confirmations = DispatchSemaphore(value: 0)

  /// Starts a server that responds by a script, whatever it is asked for.
  convenience init(_ script: [ScriptedAnswer]) throws {
    try self.init(requests: script.count) { _, number in script[number] }
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - count: The number of requests to respond to.
  ///   - last: The path that gets its response only when all others have been confirmed, however early it is requested.
  ///   - answer: Makes the response of a path and of the number of the request, which counts from zero.
  init(
    requests count: Int, last: String? = nil,
    answer: @escaping @Sendable (_ path: String, _ number: Int) -> ScriptedAnswer
  ) throws {
    // Requests to this machine do not go through a proxy.
    if getenv("http_proxy") != nil { setenv("no_proxy", "127.0.0.1", 1) }
    let listener = makeStreamSocket()
    limitWaiting(on: listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // With port 0 the system chooses a free port.
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else {
      let code = errno
      close(listener)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EADDRNOTAVAIL)
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread { [requests, confirmations] in
      var held: [(connection: Int32, answer: ScriptedAnswer)] = []
      for number in 0..<count {
        guard let (connection, path) = Self.accept(from: listener) else { continue }
        let response = answer(path, number)
        requests.send((path: path, answer: response))
        if path == last {
          held.append((connection, response))
        } else {
          Self.respond(response, on: connection)
        }
      }
      if !held.isEmpty { for _ in held.count..<count { _ = confirmations.wait(timeout: .now() + 60) } }
      for (connection, answer) in held { Self.respond(answer, on: connection) }
      close(listener)
    }.start()
  }

  /// Tells the server that a response has arrived.
  func confirm() { confirmations.signal() }

  /// The address of a path on this server.
  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }

  /// Waits for a connection, and reads the path that it asks for.
  private static func accept(from listener: Int32) -> (connection: Int32, path: String)? {
    let connection = Foundation.accept(listener, nil, nil)
    guard connection >= 0 else { return nil }
    limitWaiting(on: connection)
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else {
        close(connection)
        return nil
      }
      head.append(byte)
    }
    // The first line is "GET /path HTTP/1.1".
    let words = String(decoding: head, as: UTF8.self).split(separator: " ")
    return (connection, words.count > 1 ? String(words[1]) : "")
  }

  private static func respond(_ answer: ScriptedAnswer, on connection: Int32) {
    if case .send(let status, let body) = answer {
      let text = "HTTP/1.1 \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))\r\n"
      send(text + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body, to: connection)
    }
    shutdown(connection, Int32(SHUT_RDWR))
    close(connection)
  }

  private static func send(_ text: String, to connection: Int32) {
    #if canImport(Darwin)
      let flags: Int32 = 0
      var one: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }
}

private func limitWaiting(on socket: Int32) {
  var limit = timeval(tv_sec: 60, tv_usec: 0)
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
}

private func makeStreamSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    // On any other system: only Glibc's constant has a type of its own.
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
