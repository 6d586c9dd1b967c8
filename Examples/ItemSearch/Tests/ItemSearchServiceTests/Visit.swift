// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import LoopbackClient
import NIOCore
import NIOHTTP1

/// An open page, without a browser.
struct Visit {
  /// An event that the server has sent.
  struct Event: Sendable {
    let name: String
    let data: String

    /// The value under a name in the data, as text.
    subscript(_ key: String) -> String? {
      guard let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] else { return nil }
      return object[key].map { "\($0)" }
    }

    /// The names of the items.
    var items: [String] {
      let objects = (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [[String: Any]]
      return (objects ?? []).compactMap { $0["name"] as? String }
    }
  }

  struct StreamEnded: Error {}

  private(set) var id = ""
  let client: Client
  private var response: Client.Response
  private var keys = 0

  init(_ client: Client, _ response: Client.Response) async throws {
    (self.client, self.response) = (client, response)
    id = try await next("welcome")["id"] ?? ""
  }

  /// Returns the server's next event; `nil` at the end.
  mutating func next() async throws -> Event? {
    while let block = try await response.block() {
      guard block.hasPrefix("event: "), let end = block.firstRange(of: "\ndata: ") else { continue }
      return Event(
        name: String(block[..<end.lowerBound].dropFirst("event: ".count)), data: String(block[end.upperBound...]))
    }
    return nil
  }

  /// Returns the next event with a name; those before it are skipped.
  mutating func next(_ name: String) async throws -> Event {
    while let event = try await next() {
      if event.name == name { return event }
    }
    throw StreamEnded()
  }

  /// Returns all events up to one with a name.
  mutating func events(until name: String, where isLast: (Event) -> Bool = { _ in true }) async throws -> [Event] {
    var events: [Event] = []
    while let event = try await next() {
      events.append(event)
      if event.name == name, isLast(event) { return events }
    }
    throw StreamEnded()
  }

  /// Returns the next block of any kind, comments included.
  mutating func block() async throws -> String? { try await response.block() }

  /// Types a text, a key at a time.
  mutating func type(_ text: String) async throws {
    for end in text.indices { try await set(String(text[...end])) }
  }

  /// Changes the field.
  mutating func set(_ filter: String) async throws {
    keys += 1
    let path = "filter?key=\(keys)"
    guard try await post(path, body: filter).status == .noContent else { throw StreamEnded() }
  }

  func post(_ path: String, body: String? = nil) async throws -> (status: HTTPResponseStatus, text: String) {
    try await client.request(.POST, "/visitors/\(id)/\(path)", body: body) { response in
      (response.status, try await response.rest())
    }
  }
}
