// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import LoopbackClient
import NIOCore
import Synchronization

/// Visitors that do the same at the same time.
///
/// Each has a stream that it reads and a connection for its keys, as a browser has.
final class Crowd: Sendable {
  /// One thing for a visitor to do.
  private enum Order: Sendable {
    case type(String, pause: Duration)
    case ask(String, then: String, after: Duration)
  }

  let server: ServerProcess
  private let visitors: Int
  private let orders = Mutex<[AsyncStream<Order>.Continuation]>([])
  private let reports: AsyncStream<Duration?>
  private let report: AsyncStream<Duration?>.Continuation

  init(visitors: Int, server: ServerProcess) {
    (self.visitors, self.server) = (visitors, server)
    (reports, report) = AsyncStream.makeStream()
  }

  /// Opens the streams, and closes them when `body` returns.
  func visit(_ body: (Crowd) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      // A few at a time: a queue of connections that are not accepted yet should not be measured.
      for first in stride(from: 0, to: visitors, by: 50) {
        let count = min(50, visitors - first)
        for _ in 0..<count {
          let (stream, order) = AsyncStream.makeStream(of: Order.self)
          orders.withLock { $0.append(order) }
          group.addTask { [self] in try await one(stream) }
        }
        try await reported(count)
      }
      try await body(self)
      orders.withLock { $0.forEach { $0.finish() } }
      try await group.waitForAll()
    }
  }

  /// Has each visitor type a word of its own.
  ///
  /// - Returns: How long each visitor waited from its last key to its results.
  func type(_ words: [String], from first: Int = 0, pause: Duration) async throws -> [Duration] {
    for (number, order) in orders.withLock({ $0 }).enumerated() {
      order.yield(.type(words[(number + first) % words.count], pause: pause))
    }
    return try await reported(visitors)
  }

  /// Has all visitors ask for one thing at once, and for another one after a time.
  func ask(_ filter: String, then next: String, after time: Duration) async throws {
    for order in orders.withLock({ $0 }) { order.yield(.ask(filter, then: next, after: time)) }
    try await reported(visitors)
  }

  @discardableResult
  private func reported(_ count: Int) async throws -> [Duration] {
    var durations: [Duration] = []
    var left = count
    for await duration in reports {
      if let duration { durations.append(duration) }
      left -= 1
      if left == 0 { break }
    }
    return durations
  }

  private func one(_ orders: AsyncStream<Order>) async throws {
    try await server.client.request(.GET, "/events") { [self] stream in
      let welcome = try await stream.block() ?? ""
      guard let id = welcome.firstMatch(of: /"id":"(\w+)"/)?.output.1 else { throw ServerProcess.Ended() }
      try await server.client.connected { [self] connection in
        report.yield(nil)
        var keys = 0
        func set(_ filter: String) async throws {
          keys += 1
          let answer = try await connection.request(
            .POST, "/visitors/\(id)/filter?key=\(keys)", body: ByteBuffer(string: filter))
          guard answer.status == .noContent else { throw ServerProcess.Ended() }
        }
        for await order in orders {
          switch order {
          case .type(let word, let pause):
            // Like people, they don't begin at the same millisecond.
            try await Task.sleep(for: pause * .random(in: 0...1))
            for end in word.indices {
              if end != word.startIndex { try await Task.sleep(for: pause) }
              if word.index(after: end) == word.endIndex { break }
              try await set(String(word[...end]))
            }
            let last = ContinuousClock.now
            try await set(word)
            try await Self.read(&stream, until: word)
            report.yield(last.duration(to: .now))
          case .ask(let filter, let next, let time):
            try await set(filter)
            try await Task.sleep(for: time)
            try await set(next)
            try await Self.read(&stream, until: next)
            report.yield(nil)
          }
        }
      }
    }
  }

  /// Reads until the results for a filter arrive.
  private static func read(_ stream: inout Client.Response, until filter: String) async throws {
    var number = "none"
    while let block = try await stream.block() {
      if block.hasPrefix("event: query"), block.contains("\"filter\":\"\(filter)\"") {
        number = String(block.firstMatch(of: /"number":(\d+)/)!.output.1)
      } else if block.hasPrefix("event: results"), block.hasSuffix("\"number\":\(number)}") {
        return
      }
    }
    throw ServerProcess.Ended()
  }
}
