// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import ItemDatabase
import LoopbackClient
import Testing

@testable import ItemSearchService

@Suite("Visitors that come and go", .timeLimit(.minutes(2)))
struct ComingAndGoingTests {
  /// Answers that are too large for a connection's buffers: 40 items of 40,000 letters each.
  private var large: ItemSource {
    .records(
      (0..<40).map { number in
        ItemRecord(name: "item-\(number)", summary: "large " + String(repeating: "x", count: 40_000))
      } + [ItemRecord(name: "small", summary: "little")])
  }

  @Test func `leave nothing behind`() async throws {
    try await TestServer.run { server in
      for _ in 1...8 {
        try await server.visit { visit in
          try await visit.set("valve")
          _ = try await visit.next("query")
        }
      }
      #expect(await becomes { server.visitors.count == 0 })
      #expect(await becomes { server.counts.now.open == 0 })
    }
  }

  @Test func `are told that the server is there`() async throws {
    try await TestServer.run(patience: Patience(heartbeat: .milliseconds(20))) { server in
      try await server.visit { visit in
        var beats = 0
        while beats < 3, let block = try await visit.block() { beats += block == ": still here" ? 1 : 0 }
        #expect(beats == 3)
      }
    }
  }

  @Test func `slow down only their own pipeline when they don't read`() async throws {
    try await TestServer.run(items: large) { server in
      var rounds = 0
      try await server.visit { idle in
        try await server.visit { other in
          while rounds < 60, !server.holdsBack(after: rounds) {
            rounds += 1
            // The other visitor's answer arrives when typing has paused for both.
            try await idle.set("large \(String(repeating: "x", count: rounds))")
            try await other.set(rounds.isMultiple(of: 2) ? "small" : "little")
            let results = try await other.next("results")
            #expect(results["count"] == "1")
          }
        }
        #expect(server.holdsBack(after: rounds), "\(rounds) rounds")
        // It reads again, and the last filter is what it finds.
        let number = "\(rounds)"
        let events = try await idle.events(until: "results") { $0["number"] == number }
        #expect(events.contains { $0.name == "items" && $0.items.count == 40 })
      }
    }
  }

  @Test func `are given up when they don't read for too long`() async throws {
    try await TestServer.run(items: large, patience: Patience(writeLimit: .milliseconds(300))) { server in
      try await server.visit { visit in
        try await visit.set("large")
        #expect(await becomes { server.counts.now.finished == 1 })
        #expect(await becomes { server.visitors.count == 0 })
      }
    }
  }

  @Test func `are told that the server stops`() async throws {
    try await TestServer.run { server in
      let (welcomes, welcomed) = AsyncStream.makeStream(of: String.self)
      try await withThrowingTaskGroup(of: Bool.self) { visits in
        for _ in 0..<20 {
          visits.addTask {
            try await server.visit { visit in
              welcomed.yield(visit.id)
              while try await visit.next() != nil {}
              return true
            }
          }
        }
        // A visitor is counted before its welcome is sent, and a stream that ends in between has none.
        for await id in welcomes.prefix(20) { #expect(!id.isEmpty) }
        #expect(server.visitors.count == 20)
        await server.group.triggerGracefulShutdown()
        for try await isEnded in visits { #expect(isEnded) }
      }
    }
  }
}
