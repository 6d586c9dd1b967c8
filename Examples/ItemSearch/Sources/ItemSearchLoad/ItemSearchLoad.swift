// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation
import LoopbackClient

/// Measures what many visitors at once cost.
///
/// It starts ItemSearch as a separate process, so that the memory is only the server's; the two share the processors.
@main
struct ItemSearchLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ItemSearchLoad",
    abstract: "Has many visitors type at once, and prints how long they wait and what they cost.")

  @Option(help: "How many visitors there are.")
  var visitors = 1000

  @Option(help: "How many milliseconds there are between two keys of a visitor.")
  var pause = 200

  @Option(help: "How many words each visitor types, one after the other.")
  var words = 3

  @Option(help: "For how many seconds one visitor doesn't read.")
  var stall = 60

  @Option(help: "The file of the database, which is filled if it is new.")
  var database = FileManager.default.temporaryDirectory.appending(path: "item-search-load.sqlite").path

  func validate() throws {
    guard (1...5_000).contains(visitors) else { throw ValidationError("--visitors is a number from 1 to 5000") }
    guard (1...1_000).contains(pause) else { throw ValidationError("--pause is a number from 1 to 1000") }
    guard (1...20).contains(words) else { throw ValidationError("--words is a number from 1 to 20") }
    guard (0...600).contains(stall) else { throw ValidationError("--stall is a number from 0 to 600") }
  }

  func run() async throws {
    let server = try ServerProcess(database: database)
    defer { server.stop() }
    // The run ends whatever happens: without the server all visitors fail.
    let watchdog = Task { [stall] in
      try await Task.sleep(for: .seconds(180 + stall))
      print("stopped after \(180 + stall) seconds")
      server.stop()
    }
    defer { watchdog.cancel() }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    print("\(visitors) visitors, a key every \(pause) ms, on \(processors) processors")
    // What a server allocates for its first visitor serves all of them.
    try await Crowd(visitors: 10, server: server).visit { crowd in _ = try await crowd.type(["zlib"], pause: .zero) }
    let before = try server.residentKiB()

    try await Crowd(visitors: visitors, server: server).visit { crowd in
      let open = try server.residentKiB()
      report("memory of a visitor that listens", "\(format(Double(open - before) / Double(visitors))) KiB")
      try await type(crowd)
      try await supersede(crowd)
      let busy = try server.residentKiB()
      report("memory of a visitor that has typed", "\(format(Double(busy - before) / Double(visitors))) KiB")
    }
    let counts = try await server.counts { $0.visitors == 0 && $0.queries.open == 0 }
    report("visitors and queries left when they are gone", "\(counts.visitors), \(counts.queries.open)")
    // The allocator keeps memory that has been freed: so a leak shows in how much memory the same number of visitors
    // takes again.
    let left = try server.residentKiB()
    try await Crowd(visitors: visitors, server: server).visit { crowd in
      _ = try await crowd.type(Vocabulary.words, pause: .milliseconds(pause))
    }
    _ = try await server.counts { $0.visitors == 0 && $0.queries.open == 0 }
    report("memory that a second crowd adds to the first one's", "\(try server.residentKiB() - left) KiB")
    if stall > 0 { try await stopReading(server) }
  }

  private func type(_ crowd: Crowd) async throws {
    var waits: [Duration] = []
    let before = try await crowd.server.counts()
    let start = ContinuousClock.now
    for round in 0..<words {
      waits += try await crowd.type(Vocabulary.words, from: round, pause: .milliseconds(pause))
    }
    let took = start.duration(to: .now)
    waits.sort()
    let after = try await crowd.server.counts()
    let keys = (0..<words).reduce(0) { sum, round in
      sum + (0..<visitors).reduce(0) { $0 + Vocabulary.words[($1 + round) % Vocabulary.words.count].count }
    }
    report("keys, and queries that they led to", "\(keys), \(after.queries.began - before.queries.began)")
    report("keys a second", "\(format(Double(keys) / (took / .seconds(1))))")
    report(
      "last key to results, beside 300 ms of debounce",
      "p50 \(ms(waits[waits.count / 2])), p99 \(ms(waits[waits.count * 99 / 100])), longest \(ms(waits.last!))")
  }

  /// All visitors ask at once for what takes longest, and again before the answers have arrived.
  private func supersede(_ crowd: Crowd) async throws {
    let before = try await crowd.server.counts().queries
    try await crowd.ask("a b c d e f g h", then: "python", after: .milliseconds(350))
    let after = try await crowd.server.counts { $0.queries.open == 0 }.queries
    report(
      "of \(after.queued - before.queued) queries, all asked twice",
      "\(after.began - before.began) reached SQLite, \(after.withdrawn - before.withdrawn) were superseded before, "
        + "\(after.interrupted - before.interrupted) interrupted")
    report(
      "longest query; longest time after an interrupt",
      "\(format(after.longestMs)) ms; \(format(after.longestAfterInterruptMs)) ms")
  }

  private func stopReading(_ server: ServerProcess) async throws {
    let before = (memory: try server.residentKiB(), queries: try await server.counts().queries)
    var highest = before.memory
    let visitor = try await server.client.request(.GET, "/events") { [stall, client = server.client] response in
      let id = try await response.block()?.firstMatch(of: /"id":"(\w+)"/)?.output.1 ?? ""
      let end = ContinuousClock.now + .seconds(stall)
      var key = 0
      while ContinuousClock.now < end {
        key += 1
        let word = Vocabulary.words[key % Vocabulary.words.count]
        let status = try await client.request(.POST, "/visitors/\(id)/filter?key=\(key)", body: word) { $0.status }
        guard status == .noContent else { break }
        try await Task.sleep(for: .milliseconds(310))
        highest = max(highest, try server.residentKiB())
      }
      return key
    }
    let after = try await server.counts { $0.visitors == 0 }
    report("a visitor that doesn't read for \(stall) s, and types", "\(visitor) words")
    report("queries made for it", "\(after.queries.began - before.queries.began)")
    report("memory of it at most", "\(highest - before.memory) KiB")
  }

  private func report(_ what: String, _ value: String) {
    print(what.padding(toLength: max(52, what.count), withPad: " ", startingAt: 0), value)
  }

  private func ms(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1))) ms" }

  private func format(_ number: Double) -> String { String(Double(Int(number * 10)) / 10) }
}
