// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A network between clients and a server on the loopback address, which a test may take down.
public final class LoopbackProxy: @unchecked Sendable {
  // `@unchecked`: all mutable state is under the condition's lock.

  /// What happens to data that is sent.
  public enum Flow: Sendable {
    /// It arrives.
    case open
    /// It is kept, in both directions, and neither side is notified, as when a cable has been pulled. It arrives when
    /// the flow is open again.
    case swallowed
    /// Data from the server is kept, and data from the client arrives, as when the client does not read.
    case swallowedToClients
    /// Connections end, and each new connection ends at once.
    case cut
  }

  /// Two sockets, each of which gets the data of the other one.
  private final class Pair {
    let client: Int32
    let server: Int32
    var ends = 2

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func shutDown() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// Where clients connect.
  public let port: Int
  private let target: Int
  private let listener: Int32
  private let condition = NSCondition()
  private var flow = Flow.open
  private var pairs: [ObjectIdentifier: Pair] = [:]
  private var isOver = false

  /// - Parameter target: The port of the server.
  public init(to target: Int) {
    let (socket, port) = bindToLoopback()
    if listen(socket, 64) != 0 { fatalError("The proxy cannot listen: \(errno)") }
    (listener, self.port, self.target) = (socket, Int(port), target)
    Thread { self.acceptAll() }.start()
  }

  /// Changes what happens to data that is sent from now on.
  public func set(_ flow: Flow) {
    condition.withLock {
      self.flow = flow
      if flow == .cut { for pair in pairs.values { pair.shutDown() } }
      condition.broadcast()
    }
  }

  /// Ends everything; until then a thread keeps the proxy alive.
  public func stop() {
    condition.withLock {
      isOver = true
      for pair in pairs.values { pair.shutDown() }
      condition.broadcast()
    }
    shutdown(listener, Int32(SHUT_RDWR))
    #if canImport(Darwin)
      // Nothing else wakes the thread there.
      close(listener)
    #endif
  }

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      if client < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
      guard client >= 0 else {
        #if !canImport(Darwin)
          close(listener)
        #endif
        return
      }
      if condition.withLock({ flow == .cut || isOver }) {
        close(client)
        continue
      }
      // Done even if nothing is forwarded: for a server that can't be reached, the system accepts connections.
      Thread { self.join(client) }.start()
    }
  }

  private func join(_ client: Int32) {
    let server = makeStreamSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(UInt16(target)).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let pair = Pair(client: client, server: server)
    var one: Int32 = 1
    for socket in [client, server] {
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
    let goesOn = condition.withLock {
      if !isConnected || flow == .cut || isOver { return false }
      pairs[ObjectIdentifier(pair)] = pair
      return true
    }
    guard goesOn else {
      close(client)
      close(server)
      return
    }
    nonisolated(unsafe) let shared = pair
    Thread { self.forward(shared, toClient: true) }.start()
    forward(pair, toClient: false)
  }

  private func forward(_ pair: Pair, toClient: Bool) {
    let (from, to) = toClient ? (pair.server, pair.client) : (pair.client, pair.server)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      // This applies to the end as well as to bytes: it is not noticed while nothing arrives.
      let goesOn = condition.withLock {
        while !isOver, flow == .swallowed || (toClient && flow == .swallowedToClients) { condition.wait() }
        return !isOver && flow != .cut
      }
      guard goesOn, count > 0 else { break }
      var rest = buffer[..<count]
      while !rest.isEmpty {
        #if canImport(Darwin)
          let sent = rest.withUnsafeBytes { systemSend(to, $0.baseAddress, $0.count, 0) }
        #else
          let sent = rest.withUnsafeBytes { systemSend(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #endif
        if sent <= 0 { break }
        rest = rest.dropFirst(sent)
      }
      if !rest.isEmpty { break }
    }
    condition.withLock {
      pair.shutDown()
      pair.ends -= 1
      if pair.ends > 0 { return }
      pairs[ObjectIdentifier(pair)] = nil
      close(pair.client)
      close(pair.server)
    }
  }
}
