// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#else
  #error("The server of the tests needs sockets of POSIX, which Windows and WebAssembly do not have.")
#endif

/// An HTTP server on the loopback address, with a thread for each connection and responses that the test writes.
public final class LoopbackServer: Sendable {
  /// One connection, after its request has been read.
  public struct Connection: Sendable {
    fileprivate let socket: Int32
    /// The path of the request.
    public let path: String

    /// Sends a complete response.
    public func answer(_ status: Int = 200, _ body: String) {
      begin(status, length: body.utf8.count)
      send(body)
    }

    /// Sends the head of a response.
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

  /// The paths of all requests, in order.
  public var paths: [String] { seen.value }

  /// - Parameter script: Responds to a request; the connection is closed when it returns.
  public init(_ script: @escaping @Sendable (Connection) -> Void) {
    (socket, port) = bindToLoopback()
    let listening = socket
    if listen(listening, 64) != 0 { fatalError("The server cannot listen: \(errno)") }
    Thread { [seen] in
      while true {
        let connection = accept(listening, nil, nil)
        if connection < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
        // Fails when the test has ended.
        guard connection >= 0 else { return Self.end(listening) }
        Thread { Self.serve(connection, seen: seen, script) }.start()
      }
    }.start()
  }

  deinit {
    // Wakes the thread above, which then closes the socket: otherwise another test's server could get the number of the
    // closed socket, and this thread would accept its clients.
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

/// An address without a listener, reserved as long as this object exists.
public final class NobodyThere: Sendable {
  private let socket: Int32
  private let port: UInt16

  public init() { (socket, port) = bindToLoopback() }

  deinit { close(socket) }

  public var url: URL { loopbackURL(port, "/") }
}

private func loopbackURL(_ port: UInt16, _ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

/// A socket bound to a free port.
func bindToLoopback() -> (socket: Int32, port: UInt16) {
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

// Under a different name, because a member named `send` hides the system's function.
func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}

/// - Returns: Whether a byte was read, before the client closed its side or the time was up.
private func readByte(_ socket: Int32, into byte: inout UInt8) -> Bool {
  while true {
    let count = recv(socket, &byte, 1, 0)
    // A signal ends a call on a socket that has a timeout.
    if count >= 0 || errno != EINTR { return count == 1 }
  }
}

func makeStreamSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    // Any other system: only Glibc's constant is of a type of its own.
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
