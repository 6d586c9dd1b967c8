// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server of HTTP on the loopback address, with a thread for each connection, and answers that the test writes.
public final class LoopbackServer: Sendable {
  /// One connection, after its request has been read.
  public struct Connection: Sendable {
    fileprivate let socket: Int32
    /// What the request is for.
    public let path: String

    /// Sends a whole answer.
    public func answer(_ status: Int = 200, _ body: String) {
      begin(status, length: body.utf8.count)
      send(body)
    }

    /// Sends the head of an answer.
    public func begin(_ status: Int = 200, length: Int) {
      send("HTTP/1.1 \(status) Scripted\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n")
    }

    public func send(_ text: String) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        #if canImport(Darwin)
          let flags: Int32 = 0
        #else
          let flags = Int32(MSG_NOSIGNAL)
        #endif
        let sent = rest.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    }

    /// Waits until the client closes its side.
    public func waitForClose() {
      var byte: UInt8 = 0
      while readByte(socket, into: &byte) {}
    }
  }

  private let socket: Int32
  private let port: UInt16
  private let seen = Locked<[String]>([])

  /// The paths that have been asked for, in order.
  public var paths: [String] { seen.value }

  /// - Parameter script: Answers a request; the connection is closed when it returns.
  public init(_ script: @escaping @Sendable (Connection) -> Void) {
    (socket, port) = bindToLoopback()
    let listening = socket
    if listen(listening, 64) != 0 { fatalError("The server cannot listen: \(errno)") }
    Thread { [seen] in
      while true {
        let connection = accept(listening, nil, nil)
        if connection < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
        // Fails otherwise when the test has ended.
        guard connection >= 0 else { return Self.end(listening) }
        Thread { Self.serve(connection, seen: seen, script) }.start()
      }
    }.start()
  }

  deinit {
    // Wakes the thread above, which closes the socket when it has done with it: the number of a closed one may be that of
    // another test's server the next moment, whose clients it would take.
    shutdown(socket, Int32(SHUT_RDWR))
    #if canImport(Darwin)
      // Nothing else wakes it there.
      close(socket)
    #endif
  }

  private static func end(_ listening: Int32) {
    #if !canImport(Darwin)
      close(listening)
    #endif
  }

  public func url(_ path: String = "/") -> URL { loopbackURL(port, path) }

  private static func serve(_ socket: Int32, seen: Locked<[String]>, _ script: (Connection) -> Void) {
    #if canImport(Darwin)
      var one: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var cap = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &cap, socklen_t(MemoryLayout<timeval>.size))
    defer {
      shutdown(socket, Int32(SHUT_RDWR))
      close(socket)
    }
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard readByte(socket, into: &byte) else { return }
      head.append(byte)
    }
    let path = String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first.map(String.init) ?? ""
    seen.change { $0.append(path) }
    script(Connection(socket: socket, path: path))
  }
}

/// An address at which nobody listens, and nobody else can as long as this is kept.
public final class NobodyThere: Sendable {
  private let socket: Int32
  private let port: UInt16

  public init() { (socket, port) = bindToLoopback() }

  deinit { close(socket) }

  public var url: URL { loopbackURL(port, "/") }
}

private func loopbackURL(_ port: UInt16, _ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

/// A socket with a port that was free.
private func bindToLoopback() -> (socket: Int32, port: UInt16) {
  let socket = makeStreamSocket()
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
    }
  }
  if !isBound { fatalError("There is no port: \(errno)") }
  return (socket, UInt16(bigEndian: address.sin_port))
}

// Named apart, because a member named `send` hides the system's.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}

/// - Returns: Whether there was one, before the client closed its side or the time was up.
private func readByte(_ socket: Int32, into byte: inout UInt8) -> Bool {
  while true {
    let count = recv(socket, &byte, 1, 0)
    // A signal ends the call of a socket whose waits have a limit.
    if count >= 0 || errno != EINTR { return count == 1 }
  }
}

private func makeStreamSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
