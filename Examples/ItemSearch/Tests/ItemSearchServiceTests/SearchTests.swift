// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import LoopbackClient
import Testing

@testable import ItemSearchService

@Suite("The search", .timeLimit(.minutes(2)))
struct SearchTests {
  @Test func `makes one query of a burst of keys, and shows what it finds`() async throws {
    try await TestServer.run { server in
      let isOne = try await attempts {
        let before = server.counts.now.began
        return try await server.visit { visit in
          try await visit.type("pelton")
          let events = try await visit.events(until: "items") { $0.items.count == 3 }
          #expect(events.last { $0.name == "results" }?["count"] == "3")
          return events.filter { $0.name == "query" }.map { $0["filter"] } == ["pelton"]
            && server.counts.now.began == before + 1
        }
      }
      #expect(isOne)
    }
  }

  @Test func `never shows an answer to an old filter`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        _ = try await visit.post("pace?ms=10000")
        try await visit.set("pelton")
        _ = try await visit.next("query")
        _ = try await visit.post("pace?ms=0")
        try await visit.set("kaplan")
        let events = try await visit.events(until: "items") { !$0.items.isEmpty }
        #expect(events.filter { $0.name == "superseded" }.map { $0["number"] } == ["1"])
        #expect(events.filter { $0.name == "results" }.map { $0["number"] } == ["2"])
        #expect(events.last?.items.allSatisfy { $0.hasPrefix("kaplan") } == true)
      }
    }
  }

  @Test func `takes no notice of a key that a later one has overtaken`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        _ = try await visit.post("filter?key=2", body: "pelton")
        let answer = try await visit.post("filter?key=1", body: "pelt")
        #expect(answer.status == .noContent)
        let query = try await visit.next("query")
        #expect(query["filter"] == "pelton")
      }
    }
  }

  @Test func `empties the list with the field, and asks nothing for that`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        try await visit.set("pelton")
        _ = try await visit.events(until: "items") { !$0.items.isEmpty }
        try await visit.set("")
        #expect(try await visit.next("items").items.isEmpty)
      }
      #expect(server.counts.now.queued == 1)
    }
  }

  @Test func `tells each visitor of its own queries only`() async throws {
    try await TestServer.run { server in
      try await server.visit { first in
        try await first.set("pelton")
        _ = try await first.next("results")
        try await server.visit { second in
          try await second.set("kaplan")
          #expect(try await second.next("query")["filter"] == "kaplan")
        }
        try await first.set("ram")
        #expect(try await first.next("query")["filter"] == "ram")
        #expect(server.visitors.count >= 1)
      }
    }
  }

  @Test func `asks the archive again where the line was lost`() async throws {
    let losses = Losses([true, true, false])
    try await TestServer.run(archive: { losses.next() }) { server in
      try await server.visit { visit in
        #expect(try await visit.post("selection?item=1").status == .noContent)
        let events = try await visit.events(until: "details")
        #expect(
          events.map(\.name).filter { $0 != "items" }
            == ["attempt", "attemptFailed", "attempt", "attemptFailed", "attempt", "details"])
        #expect(events.last?["item"] == "1")
      }
    }
  }

  @Test func `gives up an archive that is never reached`() async throws {
    try await TestServer.run(archive: { true }) { server in
      try await server.visit { visit in
        _ = try await visit.post("selection?item=1")
        let events = try await visit.events(until: "noDetails")
        // The first, the one that follows at once, and four more.
        #expect(events.filter { $0.name == "attempt" }.count == 6)
        #expect(events.last?["reason"] == "the connection was lost")
      }
    }
  }

  @Test func `asks the archive no more with a token that has expired, until it is renewed`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        for _ in 1...Archive.requestsPerToken {
          _ = try await visit.post("selection?item=1")
          _ = try await visit.next("details")
        }
        _ = try await visit.post("selection?item=1")
        let events = try await visit.events(until: "noDetails")
        // The items of the first, empty search may arrive at any time.
        #expect(events.map(\.name).filter { $0 != "items" } == ["attempt", "attemptFailed", "noDetails"])
        #expect(events.last?["reason"] == "the token has expired")
        _ = try await visit.post("token")
        _ = try await visit.post("selection?item=2")
        #expect(try await visit.next("details")["item"] == "2")
      }
    }
  }

  @Test(arguments: [
    ("/", "text/html"), ("/files/page.css", "text/css"), ("/files/page.js", "text/javascript"),
    ("/files/strip.js", "text/javascript"), ("/files/icon.svg", "image/svg+xml"),
  ])
  func `serves its page`(path: String, type: String) async throws {
    try await TestServer.run { server in
      let (status, headers, text) = try await server.client.request(.GET, path) { response in
        (response.status, response.headers, try await response.rest())
      }
      #expect(status == .ok)
      #expect(headers.first(name: "Content-Type") == "\(type); charset=utf-8")
      #expect(headers.first(name: "Content-Security-Policy") == "default-src 'self'")
      #expect(!text.isEmpty)
    }
  }

  @Test func `serves other routes beside its own`() async throws {
    try await TestServer.run(additionalRoutes: { $0.get("about") { _, _ in "here" } }) { server in
      let text = try await server.client.request(.GET, "/about") { try await $0.rest() }
      #expect(text == "here")
    }
  }
}
