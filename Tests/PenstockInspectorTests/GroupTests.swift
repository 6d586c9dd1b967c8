// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import Synchronization
import TestSupport
import Testing

/// Asks an endpoint as a page on the same machine does.
private func answer(_ endpoint: Inspector.Endpoint, _ query: String) async -> Inspector.Endpoint.Response {
  await endpoint.respond(to: .init("GET", "/pipelines.json\(query)") { $0 == "host" ? "localhost" : nil })
}

/// The answer's object.
private func object(_ endpoint: Inspector.Endpoint, _ query: String) async throws -> [String: Any] {
  let response = await answer(endpoint, query)
  try #require(response.status == 200, "\(response.body)")
  return try #require(try JSONSerialization.jsonObject(with: Data(response.body.utf8)) as? [String: Any])
}

private func streams(_ endpoint: Inspector.Endpoint, _ query: String) async throws -> [[String: Any]] {
  try #require(try await object(endpoint, query)["streams"] as? [[String: Any]])
}

private func status(_ endpoint: Inspector.Endpoint, _ query: String) async -> Int {
  await answer(endpoint, query).status
}

extension InspectorTests {
  /// Tests of the shapes of streams, and of the signals of a link, as an endpoint answers with them.
  @Suite struct GroupTests {
    @Test func `Streams that differ in numbers only are one shape, which lists them when it is open`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subjects = (0..<7).map { _ in PassthroughSubject<Int, Never>() }
        var cancellables = subjects.map {
          $0.map { $0 }.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
            .inspected("grouped").flatMap(maxPublishers: .max(1)) { _ in Empty<Int, Never>(completeImmediately: false) }
            .sink { _ in }
        }
        // One more value at each: the reasons are the same, and their numbers are not.
        for (number, subject) in subjects.enumerated() { for value in 0..<(number + 2) { subject.send(value) } }
        cancellables.append(PassthroughSubject<Int, Never>().inspected("grouped").sink { _ in })
        var options = Inspector.Endpoint.Options()
        options.patience = .zero
        let endpoint = Inspector.Endpoint(at: "/pipelines", options)
        let closed = try await streams(endpoint, "?find=grouped")
        #expect(closed.map { $0["alike"] as? Int } == [7, 1], "the one that is not held up comes last")
        #expect(closed.allSatisfy { $0["members"] == nil })
        let shape = try #require(closed[0]["shape"] as? String)
        let opened = try await streams(endpoint, "?find=grouped&open=\(shape)")
        let members = try #require(opened[0]["members"] as? [[String: Any]])
        #expect(members.count == 7 && opened[1]["members"] == nil)
        #expect(Set(members.compactMap { $0["why"] as? String }).count == 7, "each with its own numbers")
        let alone = try await streams(endpoint, "?find=%23\(members[3]["id"]!)")
        #expect(alone.map { $0["id"] as? Int } == [members[3]["id"] as? Int])
        #expect(alone.map { $0["alike"] as? Int } == [1])
        withExtendedLifetime(cancellables) {}
      }
    }

    @Test func `Another name, label, operator or reason is another shape`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let cancellables = [
          subject.inspected("shape").sink { _ in }, subject.inspected("shape 2").sink { _ in },
          subject.inspected("shape").map { $0 }.sink { _ in }, subject.scan(0, +).inspected("shape").sink { _ in },
          left.zip(right).inspected("shape").sink { _ in },
        ]
        let endpoint = Inspector.Endpoint()
        #expect(try await streams(endpoint, "?find=shape").map { $0["alike"] as? Int } == [1, 1, 1, 1, 1])
        withExtendedLifetime(cancellables) {}
      }
    }

    @Test(arguments: [1, 300]) func `A look is small, however many streams there are`(_ shapes: Int) async {
      await #expect(processExitsWith: .success) { [shapes] () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let cancellables = (0..<5_000).map { subject.inspected("small \($0 % shapes)").sink { _ in } }
        let endpoint = Inspector.Endpoint()
        let look = await answer(endpoint, "").body
        #expect(look.utf8.count <= 50_000)
        #expect(look.contains("\"count\":5000,\"shapes\":\(shapes),"))
        // Whoever asks for all of them gets as many as the options say.
        let all = try await streams(endpoint, "?all=1")
        #expect(all.count == min(shapes, 200))
        #expect(all.allSatisfy { $0["alike"] as? Int == 5_000 / shapes || $0["alike"] as? Int == 5_000 / shapes + 1 })
        withExtendedLifetime(cancellables) {}
      }
    }

    // MARK: Signals

    @Test func `The signals of a link are shown with letters, and with texts only where an option says so`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let words = PassthroughSubject<String, Never>()
        let cancellable = words.inspected("words") { "secret \($0)" }.sink { _ in }
        for word in ["one", "two", "one"] { words.send(word) }
        let link = try #require(Inspector.snapshot()["words"]?["words"]?.id)
        let lettered = await answer(Inspector.Endpoint(), "?link=\(link)").body
        #expect(!lettered.contains("secret"))
        #expect(lettered.contains(#""isDescribed":true,"isLettered":true"#))
        // Equal values have different letters: they tell nothing.
        #expect(lettered.contains("[abc]"), "\(lettered)")
        var options = Inspector.Endpoint.Options()
        options.showsValues = true
        let shown = try await object(Inspector.Endpoint(at: "/pipelines", options), "?link=\(link)")
        let signals = try #require(shown["signals"] as? [[String: Any]])
        #expect(signals.map { $0["text"] as? String } == ["secret one", "secret two", "secret one"])
        #expect(signals.allSatisfy { ($0["age"] as? Double ?? -1) >= 0 })
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `A link that counts shows when its values have passed, and one that does not shows nothing`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let plain = subject.scan(0, +).sink { _ in }
        Inspector.startCounting()
        let counted = subject.scan(1, +).sink { _ in }
        Inspector.stopCounting()
        for value in 0..<40 { subject.send(value) }
        let links = Inspector.snapshot().streams.flatMap(\.links)
        #expect(links.contains { $0.counts != nil } && links.contains { $0.counts == nil })
        let endpoint = Inspector.Endpoint()
        for link in links {
          let answer = try await object(endpoint, "?link=\(link.id)")
          #expect((answer["signals"] as? [Any])?.count == (link.counts == nil ? nil : 32))
          #expect(answer["earlier"] as? Int == (link.counts == nil ? nil : 8))
        }
        withExtendedLifetime((plain, counted)) {}
      }
    }

    @Test func `Who looks at a link sees how it ends, for a minute`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let elapsed = Atomic(0)
        let start = ContinuousClock.now
        let endpoint = Inspector.Endpoint(at: "/pipelines", .init()) {
          start + .seconds(elapsed.load(ordering: .relaxed))
        }
        for (end, kind) in [(0, "cancelled"), (1, "finished"), (2, "failed")] {
          let numbers = PassthroughSubject<Int, TestError>()
          let cancellable = numbers.inspected("ends", describing: String.init)
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
          numbers.send(1)
          let link = try #require(Inspector.snapshot()["ends"]?["ends"]?.id)
          #expect(try await object(endpoint, "?link=\(link)")["isAlive"] as? Bool == true)
          switch end {
          case 0: cancellable.cancel()
          case 1: numbers.send(completion: .finished)
          default: numbers.send(completion: .failure(.oops))
          }
          let answer = try await object(endpoint, "?link=\(link)")
          #expect(answer["isAlive"] as? Bool == false)
          #expect((answer["signals"] as? [[String: Any]])?.last?["kind"] as? String == kind)
          elapsed.add(60, ordering: .relaxed)
          #expect(await status(endpoint, "?link=\(link)") == 404)
        }
      }
    }

    @Test(arguments: ["0", "-1", "x", "", "99999999999999999999"])
    func `A link that is not alive is not found`(_ link: String) async {
      #expect(await status(Inspector.Endpoint(), "?link=\(link)") == 404)
    }
  }
}
