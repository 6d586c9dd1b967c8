// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Foundation
import Synchronization

/// A server as a process, on the loopback address, which can be killed and started again.
final class ServerNode: Sendable {
  enum State: String, Sendable { case up, down, paused }

  let name: String
  let port: Int
  private let program: String
  private let arguments: [String]
  private let process = Mutex<Process?>(nil)
  private let current = Mutex(State.down)

  init(name: String, port: Int, program: String, arguments: [String]) {
    (self.name, self.port, self.program, self.arguments) = (name, port, program, arguments)
  }

  var state: State { current.withLock { $0 } }

  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process.withLock { $0 = process }
    current.withLock { $0 = .up }
  }

  /// Ends the server, without giving it a chance to do anything before.
  func kill() {
    send(SIGKILL)
    current.withLock { $0 = .down }
    process.withLock { $0 }?.waitUntilExit()
  }

  func pause() {
    send(SIGSTOP)
    current.withLock { $0 = .paused }
  }

  func resume() {
    send(SIGCONT)
    current.withLock { $0 = .up }
  }

  private func send(_ signal: Int32) {
    if let process = process.withLock({ $0 }), process.isRunning {
      _ = Foundation.kill(process.processIdentifier, signal)
    }
  }
}

/// The servers of an engine.
struct Servers: Sendable {
  let nodes: [ServerNode]
  private let folder: URL

  /// Starts the servers, with their files in a folder of their own.
  init(_ engine: Engine) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    nodes =
      switch engine {
      case .nats: try Self.natsNodes(folder)
      case .redis: [Self.redisNode(folder)]
      case .memory: []
      }
    for node in nodes { try node.start() }
  }

  var ports: [Int] { nodes.map(\.port) }

  func stop() {
    for node in nodes { node.kill() }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func natsNodes(_ folder: URL) throws -> [ServerNode] {
    let (ports, routes) = (freePorts(3), freePorts(3))
    let addresses = routes.map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
    return try (0..<3).map { index in
      let name = "n\(index + 1)"
      let file = folder.appending(path: "\(name).conf")
      let text = """
        server_name: \(name)
        listen: "127.0.0.1:\(ports[index])"
        jetstream {
          store_dir: "\(folder.appending(path: name).path(percentEncoded: false))"
        }
        cluster {
          name: fleet
          listen: "127.0.0.1:\(routes[index])"
          routes: [\(addresses)]
        }
        """
      try Data(text.utf8).write(to: file)
      return ServerNode(
        name: name, port: ports[index], program: "nats-server", arguments: ["-c", file.path(percentEncoded: false)])
    }
  }

  private static func redisNode(_ folder: URL) -> ServerNode {
    let port = freePorts(1)[0]
    return ServerNode(
      name: "redis", port: port, program: "redis-server",
      arguments: [
        "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path(percentEncoded: false), "--save", "",
        "--appendonly", "yes", "--appendfsync", "always",
      ])
  }

  /// Returns ports on which nothing listens.
  private static func freePorts(_ count: Int) -> [Int] {
    // Open until all are found, so that they differ.
    let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    defer { for socket in sockets { close(socket) } }
    return sockets.map { socket in
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(socket, $0, length)
          _ = getsockname(socket, $0, &length)
        }
      }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }
}

/// Returns whether there is a program with this name.
func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
