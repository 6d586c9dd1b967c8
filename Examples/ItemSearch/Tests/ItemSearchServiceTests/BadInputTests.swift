// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import LoopbackClient
import NIOCore
import NIOHTTP1
import Testing

@testable import ItemSearchService

@Suite("A server that gets what makes no sense", .timeLimit(.minutes(2)))
struct BadInputTests {
  private func post(
    _ body: ByteBuffer?, to path: String, _ server: TestServer
  ) async throws -> (status: HTTPResponseStatus, text: String) {
    try await server.client.connected { connection in
      let answer = try await connection.request(.POST, path, body: body)
      // The connection is as good as before.
      let next = try await connection.request(.GET, "/counts")
      #expect(next.status == .ok)
      return answer
    }
  }

  @Test func `refuses a filter that is too long, and says so`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        for text in [String(repeating: "a", count: 100_000), String(repeating: "a", count: 201)] {
          let answer = try await post(ByteBuffer(string: text), to: "/visitors/\(visit.id)/filter?key=1", server)
          #expect(answer.status == .payloadTooLarge)
          #expect(answer.text.contains("a filter has at most 200 characters"))
        }
        try await visit.set(String(repeating: "😀", count: 200))
        #expect(try await visit.next("results")["count"] == "0")
      }
    }
  }

  @Test func `refuses a filter that is no text`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x82]] {
          let answer = try await post(ByteBuffer(bytes: bytes), to: "/visitors/\(visit.id)/filter?key=1", server)
          #expect(answer.status == .badRequest)
          #expect(answer.text.contains("a filter is text in UTF-8"))
        }
      }
    }
  }

  @Test(arguments: ["\"", "* OR *", "name:x NEAR(", "'; DROP TABLE item; --", "\0\u{1}", "^a + b", "-"])
  func `takes the syntax of FTS5 for text`(filter: String) async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        try await visit.set(filter)
        #expect(try await visit.next("results")["number"] == "1")
        try await visit.set("pelton")
        #expect(try await visit.next("results")["count"] == "3")
      }
      #expect(server.counts.now.failed == 0)
    }
  }

  @Test func `knows no visitor but those that are here`() async throws {
    try await TestServer.run { server in
      let gone = try await server.visit { $0.id }
      #expect(await becomes { server.visitors.count == 0 })
      for id in [gone, "nobody", "%00", String(repeating: "x", count: 5_000)] {
        for path in ["filter?key=1", "pace?ms=1", "selection?item=1", "token"] {
          let answer = try await post(ByteBuffer(string: "a"), to: "/visitors/\(id)/\(path)", server)
          #expect(answer.status == .notFound)
          #expect(answer.text.contains("there is no such visitor"))
        }
      }
    }
  }

  @Test(arguments: [
    "filter", "filter?key=x", "filter?key=0", "pace?ms=-1", "pace?ms=100000", "selection?item=", "selection",
  ])
  func `says which number it wants`(path: String) async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        let answer = try await post(ByteBuffer(string: "a"), to: "/visitors/\(visit.id)/\(path)", server)
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("is a number from"))
      }
    }
  }

  @Test func `says that an item is unknown`() async throws {
    try await TestServer.run { server in
      try await server.visit { visit in
        _ = try await visit.post("selection?item=99999999")
        #expect(try await visit.next("noDetails")["reason"] == "there is no such item")
      }
    }
  }

  @Test func `takes no more visitors than it can bear`() async throws {
    try await TestServer.run(limit: 1) { server in
      try await server.visit { visit in
        let answer = try await server.client.request(.GET, "/events") { ($0.status, try await $0.rest()) }
        #expect(answer.0 == .serviceUnavailable)
        #expect(answer.1.contains("too many visitors"))
        try await visit.set("pelton")
        _ = try await visit.next("results")
      }
    }
  }

  @Test func `goes on when connections are torn`() async throws {
    try await TestServer.run { server in
      for text in [
        "", "POST /visitors/x/filter HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nabc",
        "GET /events HTTP/1.1\r\n",
        "GET /events HTTP/1.1\r\nHost: here\r\n\r\n",
      ] {
        try await server.client.tear(after: ByteBuffer(string: text))
      }
      let answer = try await server.client.send(bytes: ByteBuffer(string: "no request at all\r\n\r\n"))
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(await becomes { server.visitors.count == 0 })
    }
  }

  @Test(arguments: [
    "POST /visitors/x/fil", "POST /visitors/x/filter?key=1 HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nabc",
  ])
  func `closes a connection whose request doesn't come`(beginning: String) async throws {
    // The visit after it is to be within the limit even on a busy machine.
    try await TestServer.run(patience: Patience(requestLimit: .seconds(2))) { server in
      // Ends when the server closes it.
      _ = try await server.client.send(bytes: ByteBuffer(string: beginning))
      try await server.visit { visit in
        try await visit.set("pelton")
        _ = try await visit.next("results")
      }
    }
  }
}
