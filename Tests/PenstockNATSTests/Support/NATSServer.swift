// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockNATS
  import TestSupport
  import Testing

  /// A server of NATS with JetStream, on a free port of the loopback address, that a test may kill.
  ///
  /// A shell is its parent, and ends it when the pipe from this process is closed, even if the process dies.
  final class NATSServer: Sendable {
    /// The path of the program; `nil` if the machine does not have it.
    ///
    /// `PENSTOCK_NATS_SERVER` names another version, to run the same tests on it.
    static let program: String? =
      ProcessInfo.processInfo.environment["PENSTOCK_NATS_SERVER"]
      ?? ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"]
      .map { $0 + "/nats-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether tests that need the program run: where CI runs, they have to.
    static let isThere = program != nil || ProcessInfo.processInfo.environment["PENSTOCK_CI"] != nil

    static let missing: Comment = "The program nats-server is missing: install it to run the tests of PenstockNATS."

    struct NoServer: Error, CustomStringConvertible {
      let description: String
    }

    private struct State {
      var shell: Process?
      var pipe: Pipe?
      var port = -1
      var domain: String?
    }

    /// Returns a server that is shared by tests that break nothing, each with its own streams and subjects.
    static func shared() async throws -> NATSServer { try await common.value }

    private static let common = Task { try await NATSServer.start() }

    let folder: URL
    private let extra: [String]
    private let fileStore: String
    private let state = Locked(State())

    private init(_ extra: [String], fileStore: String) {
      (self.extra, self.fileStore) = (extra, fileStore)
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("penstock-nats-\(UUID().uuidString)")
    }

    deinit { stop() }

    /// Starts a server, and waits until it accepts clients.
    ///
    /// - Parameters:
    ///   - extra: Lines of its configuration.
    ///   - fileStore: The space that its streams may use on the disk.
    static func start(_ extra: String..., fileStore: String = "256MB") async throws -> NATSServer {
      let server = NATSServer(extra, fileStore: fileStore)
      try await server.start()
      return server
    }

    var port: Int { state.value.port }
    var address: String { "nats://127.0.0.1:\(port)" }

    /// Starts it, or starts it again on the same port with its stored data.
    func start() async throws {
      guard let program = Self.program else { throw NoServer(description: "\(Self.missing)") }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let lines =
        [
          "listen: \"127.0.0.1:\(port)\"", "pid_file: \"\(path("pid"))\"", "ports_file_dir: \"\(folder.path)\"",
          "log_file: \"\(path("log"))\"", "jetstream {", "  store_dir: \"\(path("store"))\"",
          "  max_memory_store: 64MB", "  max_file_store: \(fileStore)",
          state.value.domain.map { "  domain: \($0)" } ?? "", "}",
        ] + extra
      try lines.joined(separator: "\n").write(toFile: path("conf"), atomically: true, encoding: .utf8)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".ports") {
        try FileManager.default.removeItem(atPath: path(name))
      }
      let (shell, pipe) = (Process(), Pipe())
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        // Threads block signals, and the shell with them: it can't wait for its child.
        "\"$1\" -c \"$2/conf\" >/dev/null 2>&1 & read word; kill -9 $!; "
          + "test -n \"$word\" || { sleep 0.1; rm -rf \"$2\"; }",
        "sh", program, folder.path,
      ]
      shell.standardInput = pipe
      // No other child may hold the other end of the pipe.
      _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      try shell.run()
      state.change { ($0.shell, $0.pipe) = (shell, pipe) }
      guard await reached(within: .seconds(30), { self.readPort() }) else {
        throw NoServer(description: "nats-server does not start: \(log)")
      }
    }

    private func readPort() -> Bool {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      guard
        let name = names.first(where: { $0.hasSuffix(".ports") }),
        let text = try? String(contentsOfFile: path(name), encoding: .utf8),
        let found = text.split(separator: "\"").first(where: { $0.contains("://") }),
        let port = found.split(separator: ":").last.flatMap({ Int($0) }), isOpen(port)
      else { return false }
      state.change { $0.port = port }
      return true
    }

    private func isOpen(_ port: Int) -> Bool {
      guard let socket = try? RawClient.open(port) else { return false }
      close(socket)
      return true
    }

    /// The log since it was first started.
    var log: String { (try? String(contentsOfFile: path("log"), encoding: .utf8)) ?? "" }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Starts it again, with a domain for its JetStream.
    func restart(domain: String) async throws {
      kill()
      state.change { $0.domain = domain }
      try await start()
    }

    /// Sends the server a signal.
    func signal(_ number: Int32) {
      guard
        let pid = (try? String(contentsOfFile: path("pid"), encoding: .utf8))
          .flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
      else { return }
      Foundation.kill(pid, number)
    }

    /// Kills it; it can be started again.
    func kill() { end("again\n") }

    /// Kills it, and removes its stored data.
    func stop() {
      end("stop\n")
      try? FileManager.default.removeItem(at: folder)
    }

    private func end(_ word: String) {
      let (shell, pipe) = state.change { state in
        defer { (state.shell, state.pipe) = (nil, nil) }
        return (state.shell, state.pipe)
      }
      guard let shell, let pipe else { return }
      pipe.fileHandleForWriting.write(Data(word.utf8))
      try? pipe.fileHandleForWriting.close()
      shell.waitUntilExit()
      // Until the system has closed its socket.
      for _ in 0..<2_000 where port > 0 && isOpen(port) { poll(nil, 0, 1) }
    }
  }

  /// Three servers that keep streams together.
  final class NATSCluster: Sendable {
    let servers: [NATSServer]

    private init(_ servers: [NATSServer]) { self.servers = servers }

    static func start() async throws -> NATSCluster {
      let ports = try (0..<3).map { _ in try RawClient.freePort() }
      let routes = ports.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
      var servers: [NATSServer] = []
      for (number, port) in ports.enumerated() {
        servers.append(
          try await .start(
            "server_name: \"n\(number)\"", "cluster {", "  name: test", "  listen: \"127.0.0.1:\(port)\"",
            "  routes: [\(routes)]", "}"))
      }
      return NATSCluster(servers)
    }

    var addresses: [String] { servers.map(\.address) }

    func stop() { for server in servers { server.stop() } }
  }

  /// A client that writes and reads the protocol itself.
  enum RawClient {
    struct NoConnection: Error {}

    static func open(_ port: Int) throws -> Int32 {
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port).bigEndian)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if status != 0 {
        close(socket)
        throw NoConnection()
      }
      return socket
    }

    /// A port that nobody uses at the moment.
    static func freePort() throws -> Int {
      let (socket, port) = try bindToFreePort()
      close(socket)
      return port
    }

    /// Takes a port that nobody uses.
    static func bindToFreePort() throws -> (socket: Int32, port: Int) {
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
        }
      }
      if status != 0 {
        close(socket)
        throw NoConnection()
      }
      return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Subscribes to everything, and reads until a text has come or the time is over.
    static func read(_ port: Int, until text: String, whenReady: () async throws -> Void) async throws -> String {
      let socket = try open(port)
      defer { close(socket) }
      func send(_ text: String) { _ = text.withCString { write(socket, $0, strlen($0)) } }
      var time = timeval(tv_sec: 0, tv_usec: 20_000)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      send("CONNECT {\"verbose\":false}\r\nSUB > 1\r\nPING\r\n")
      var all = ""
      func poll(_ wanted: String) async -> Bool {
        await reached(within: .seconds(20)) {
          var buffer = [UInt8](repeating: 0, count: 65_536)
          let count = Foundation.read(socket, &buffer, buffer.count)
          if count > 0 { all += String(decoding: buffer.prefix(count), as: UTF8.self) }
          return all.contains(wanted)
        }
      }
      #expect(await poll("PONG"))
      try await whenReady()
      #expect(await poll(text))
      return all
    }
  }
#endif
