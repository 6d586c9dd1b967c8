// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import Foundation
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A redis-server on the loopback address, in a folder of its own, which ends with this object or with the process.
  final class RedisServer: @unchecked Sendable {
    // `@unchecked`: one test uses it, and starts and stops it in turn.

    /// An error for a port that somebody else has taken first.
    private struct PortTaken: Error {}

    struct Missing: Error, CustomStringConvertible { let description: String }

    /// The program, if the machine has it.
    private static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
      .map { "\($0)/redis-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Ends the server when this process ends, in whatever way: the input of the shell is then closed.
    private static let script = """
      "$@" >/dev/null 2>&1 </dev/null & pid=$!
      echo $pid
      read line
      kill -9 $pid 2>/dev/null
      wait
      """

    /// Whether tests run: in CI they fail if the program is missing.
    static let isWanted = program != nil || ProcessInfo.processInfo.environment["PENSTOCK_CI"] != nil

    private(set) var port = 0
    private let folder: String
    private let options: [String]
    private var shell: pid_t = 0
    private var pid: pid_t = 0
    /// The input of the shell.
    private var input: Int32 = -1

    init(_ options: String...) async throws {
      self.options = options
      folder = NSTemporaryDirectory() + "penstock-redis-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      while port == 0 {
        port = Self.freePort()
        do { try await start() } catch is PortTaken { port = 0 }
      }
    }

    deinit {
      stop()
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it, on the same port and with the same folder as before.
    func start() async throws {
      try? FileManager.default.removeItem(atPath: folder + "/log")
      try spawn()
      // The server itself has to report it: another server may have its port.
      try #require(
        await reached { ["Ready to accept connections", "Address already in use"].contains { log.contains($0) } })
      if !log.contains("Ready to accept") {
        stop()
        throw PortTaken()
      }
    }

    /// The log since it was started.
    private var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    private static let starting = NSLock()

    private func spawn() throws {
      guard let program = Self.program else {
        throw Missing(description: "There is no redis-server: install it (Debian: redis-server), the tests need it.")
      }
      var command = ["sh", "-c", Self.script, "sh", program, "--port", "\(port)", "--bind", "127.0.0.1"]
      command += ["--dir", folder, "--save", "", "--daemonize", "no", "--logfile", folder + "/log"] + options
      // Not a Process of Foundation, whose end is noticed only when others that have been started meanwhile have ended,
      // too. One after the other, so that none inherits the input of another one's shell.
      Self.starting.lock()
      defer { Self.starting.unlock() }
      var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
      try #require(pipe(&inputs) == 0 && pipe(&outputs) == 0)
      for end in inputs + outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
      posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
      // Threads of tasks have signals blocked, and the shell would never hear that the server has ended.
      var (attributes, signals) = (posix_spawnattr_t(), sigset_t())
      posix_spawnattr_init(&attributes)
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        for end in [inputs[0], outputs[0], outputs[1]] { close(end) }
      }
      var words = command.map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      try #require(posix_spawn(&shell, "/bin/sh", &actions, &attributes, &words, environ) == 0)
      input = inputs[1]
      var line: [UInt8] = Array(repeating: 0, count: 20)
      let count = max(0, read(outputs[0], &line, line.count))
      pid = try #require(pid_t(String(decoding: line.prefix(count), as: UTF8.self).filter(\.isNumber)))
    }

    func connect(
      password: String? = nil, timeout: Duration = .seconds(60)
    ) async throws(RedisError) -> RedisConnection {
      try await RedisConnection.connect(port: port, password: password, timeout: timeout)
    }

    func signal(_ signal: Int32) { if pid > 0 { kill(pid, signal) } }

    func pause() { signal(SIGSTOP) }

    func resume() { signal(SIGCONT) }

    /// Ends it without a warning.
    func stop() {
      signal(SIGKILL)
      if input >= 0 { _ = (write(input, "\n", 1), close(input)) }
      if shell > 0 { waitpid(shell, nil, 0) }
      (pid, shell, input) = (0, 0, -1)
    }

    /// The threads of this process that belong to connections to this server.
    var threads: Int {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return tasks.count { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "redis:\(port)\n"
      }
    }

    /// A port below those that the system gives to clients, which come and go meanwhile.
    private static func freePort() -> Int {
      #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = in_port_t(Int.random(in: 15_000..<32_000)).bigEndian
      let isFree = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      return isFree ? Int(UInt16(bigEndian: address.sin_port)) : freePort()
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Runs if the machine has the server, and in CI.
    static var withRedis: Self {
      .enabled(if: RedisServer.isWanted, "There is no redis-server on this machine: install it to run these tests.")
    }
  }

  extension RedisConnection {
    /// Returns the number of entries that are with consumers of a group.
    func pending(_ stream: String, _ group: String = "g") async throws -> Int {
      try await send("XPENDING", stream, group).array.first?.integer ?? -1
    }

    func length(of stream: String) async throws -> Int { try await send("XLEN", stream).integer ?? -1 }

    /// Returns the reply of the server to a command with one argument.
    func text(_ command: String, _ argument: String) async throws -> String {
      String(decoding: try await send(command, argument).bytes ?? [], as: UTF8.self)
    }

    /// Returns the number of clients of the server.
    func clients() async throws -> Int { try await text("CLIENT", "LIST").split(separator: "\n").count }

    /// Whether just one client waits for entries.
    func hasWaiter() async throws -> Bool { try await text("INFO", "clients").contains("blocked_clients:1\r") }

    /// Whether a wait has been ended by a command.
    func hasUnblocked() async throws -> Bool {
      try await text("INFO", "commandstats").contains("cmdstat_client|unblock:")
    }

    /// Adds numbers as text.
    func publish(_ numbers: Range<Int>, to stream: String) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in numbers { group.addTask { try await self.publish(Array("\(number)".utf8), to: stream) } }
        try await group.waitForAll()
      }
    }
  }

  extension RedisDelivery {
    var text: String { String(decoding: payload, as: UTF8.self) }
    var number: Int { Int(text) ?? -1 }
  }

  /// Waits until a condition holds; the limit is only for a hang.
  func reached(within limit: Duration = .seconds(300), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
      if ContinuousClock.now > end { return false }
      try? await ContinuousClock().sleep(for: .milliseconds(2))
    }
    return true
  }

  /// A recorder of deliveries, for which a test waits.
  final class Taker: Sendable {
    let recorder: Recorder<RedisDelivery, RedisError>
    private let taken = Locked<(deliveries: [RedisDelivery], completion: Subscribers.Completion<RedisError>?)>(
      ([], nil))

    init(_ publisher: some Publisher<RedisDelivery, RedisError>, demand: Subscribers.Demand? = .unlimited) {
      recorder = Recorder(demand: demand)
      recorder.onValue = { [taken] delivery in
        taken.change { $0.deliveries.append(delivery) }
        return .none
      }
      recorder.onCompletion = { [taken] completion in taken.change { $0.completion = completion } }
      publisher.subscribe(recorder)
    }

    deinit { recorder.cancel() }

    var deliveries: [RedisDelivery] { taken.value.deliveries }

    /// Waits for a number of deliveries, and returns all of them.
    func take(_ count: Int) async throws -> [RedisDelivery] {
      try #require(await reached { deliveries.count >= count || taken.value.completion != nil })
      let all = deliveries
      try #require(all.count >= count, "It has ended: \(String(describing: taken.value.completion))")
      return all
    }

    /// Waits for the failure.
    func failure() async -> RedisError? {
      guard await reached({ taken.value.completion != nil }) else { return nil }
      if case .failure(let error) = taken.value.completion { return error }
      return nil
    }

    /// Waits for the end.
    func end() async -> Subscribers.Completion<RedisError>? {
      _ = await reached { taken.value.completion != nil }
      return taken.value.completion
    }

    func cancel() { recorder.cancel() }
  }
#endif
