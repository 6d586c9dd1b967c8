// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import FleetWork
import Foundation

/// Starts everything, and watches it.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Starts servers, a producer and workers, and shows what they do.")

  @Option(help: "What keeps the orders: nats, redis or memory.")
  var on = Engine.nats

  @Option(help: "How many workers.")
  var workers = 4

  @Option(help: "How many orders a second.")
  var rate = 1_000

  @Option(help: "How many seconds the producer works.")
  var seconds = 20

  @Flag(help: "Take servers and workers down while they run.")
  var kill = false

  @Option(help: "How many seconds a server is down that is taken down, and something stands still that is paused.")
  var outage = 2

  @Flag(help: "Write a line a second instead of a picture; as is done where the output is no terminal.")
  var plain = false

  func validate() throws {
    guard (1...64).contains(workers) else { throw ValidationError("the number of workers is one from 1 to 64") }
    guard (20...20_000).contains(rate) else { throw ValidationError("the rate is a number from 20 to 20000") }
    guard (1...60).contains(outage) else { throw ValidationError("the outage is a number of seconds from 1 to 60") }
    guard (1...3_600).contains(seconds) else { throw ValidationError("the seconds are a number from 1 to 3600") }
  }

  func run() async throws {
    let program = ["nats": "nats-server", "redis": "redis-server"][on.rawValue]
    if let program, !isInstalled(program) {
      throw ValidationError(
        "\(program) is not installed. On Debian and Ubuntu: apt-get install \(program). Or use --on memory.")
    }
    let servers = try Servers(on)
    defer { servers.stop() }
    // The workers notice that nothing reads their reports; servers would keep running.
    let interruptions = [SIGINT, SIGTERM, SIGHUP].map { number in
      onSignal(number) {
        servers.stop()
        Foundation.exit(128 + number)
      }
    }
    defer { for interruption in interruptions { interruption.cancel() } }
    let missing = try await withOrderBook(on, ports: servers.ports) { book in
      try await retrying { try await book.prepare() }
      return try await watch(book, servers)
    }
    if missing > 0 { throw ExitCode(1) }
  }

  /// - Returns: How many orders are missing.
  private func watch(_ book: any OrderBook, _ servers: Servers) async throws -> Int {
    let ledger = Ledger()
    let isShared = on == .memory
    let place = ["--on", on.rawValue] + servers.ports.flatMap { ["--port", "\($0)"] }
    let crew = Crew(ledger) { name, report in
      if isShared { return TaskMember { try await book.worker(name: name, report: report).run() } }
      return try Child(["worker", "--name", name] + place, onReport: report)
    }
    for number in 1...workers { try crew.start("w\(number)") }
    let limit = rate * seconds
    let producer: any Member =
      isShared
      ? TaskMember { [rate] in
        try await book.producer(rate: rate, limit: limit) { ledger.add($0, from: "producer") }.run()
      }
      : try Child(["producer", "--rate", "\(rate)", "--limit", "\(limit)"] + place) { ledger.add($0, from: "producer") }

    let start = ContinuousClock.now
    let faults = Task {
      guard kill else { return }
      let plan = Fault.plan(on, workers: workers, nodes: servers.nodes.count)
      var index = 0
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(2))
        try await plan[index % plan.count].happen(to: crew, servers, ledger, outage: .seconds(outage))
        index += 1
      }
    }
    let showing = Task {
      var board = Board(on, isLive: !plain && isatty(1) == 1)
      while true {
        let backlog = try? await book.backlog()
        board.show(ledger, crew, servers, backlog, elapsed: .now - start)
        try await Task.sleep(for: board.isLive ? .milliseconds(500) : .seconds(1))
      }
    }
    await producer.ended()
    // Everything that has been taken down is started again, so that the rest can be done.
    faults.cancel()
    _ = await faults.result
    for node in servers.nodes where node.state == .down { try node.start() }
    for node in servers.nodes where node.state == .paused { node.resume() }
    let isDone = await allDone(book, ledger)
    showing.cancel()
    _ = await showing.result
    await crew.stop()
    return summary(ledger, isDone: isDone, elapsed: .now - start)
  }

  /// Waits until the engine has nothing left, as long as there is progress.
  private func allDone(_ book: any OrderBook, _ ledger: Ledger) async -> Bool {
    var last = (date: ContinuousClock.now, done: -1)
    while true {
      if let backlog = try? await book.backlog(), backlog.isEmpty { return true }
      let sums = ledger.sums
      if sums.done + sums.repeated != last.done { last = (.now, sums.done + sums.repeated) }
      if ContinuousClock.now - last.date > .seconds(30) { return false }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  private func summary(_ ledger: Ledger, isDone: Bool, elapsed: Duration) -> Int {
    for note in ledger.takeNotes() { print("  \(note)") }
    let (sums, missing) = (ledger.sums, ledger.missing)
    print("")
    print("orders that \(on.rawValue) has confirmed     \(sums.confirmed)")
    print("done                                 \(sums.done)")
    print("done once more than needed           \(sums.repeated)")
    print("delivered again                      \(sums.redelivered)")
    print("longest time in which none was done  \(ledger.longestSilence.formatted(.units(allowed: [.milliseconds])))")
    print("missing                              \(missing.count)")
    if !missing.isEmpty { print("the first of them: \(missing.prefix(20).map(String.init).joined(separator: ", "))") }
    if !isDone { print("the engine still had orders after half a minute in which none was done") }
    return missing.count + (isDone ? 0 : 1)
  }
}

/// Does something when a signal comes, instead of what the system would do.
private func onSignal(_ number: Int32, _ action: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
  source.setEventHandler(handler: action)
  source.resume()
  return source
}
