// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockTesting
import Synchronization
import Testing

/// A publisher that never returns when the greatest number is requested, and writes to a file first.
private struct Stuck: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let file: URL

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    MisbehavingPublisher(Array(0..<count)).subscribe(Inlet(downstream: subscriber, file: file))
  }

  private struct Inlet<Downstream: Subscriber<Int, Never>>: Subscriber {
    let downstream: Downstream
    let file: URL
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) {
      downstream.receive(subscription: Outlet(upstream: subscription, file: file))
    }
    func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }
    func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: completion) }
  }

  private struct Outlet: Subscription {
    let upstream: any Subscription
    let file: URL
    var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

    func request(_ demand: Subscribers.Demand) {
      if demand == .max(.max) {
        note()
        DispatchSemaphore(value: 0).wait()
      }
      upstream.request(demand)
    }

    func cancel() { upstream.cancel() }

    private func note() {
      guard let handle = try? FileHandle(forWritingTo: file) else { return }
      handle.seekToEndOfFile()
      handle.write(Data([1]))
      handle.closeFile()
    }
  }
}

/// A publisher that never returns to its first subscriber, counted over all processes.
private struct StuckOnce: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  /// Exists until the first subscriber has come.
  let file: URL

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    if (try? FileManager.default.removeItem(at: file)) != nil { DispatchSemaphore(value: 0).wait() }
    (0..<count).publisher.subscribe(subscriber)
  }
}

/// A publisher that counts its subscribers under a lock, which another thread holds until the first subscriber, counted
/// over all processes, has come.
private final class Held: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Never

  /// Exists until the first subscriber has come.
  let file: URL
  private let subscribers = Mutex(0)
  private let isHeld = DispatchSemaphore(value: 0)

  init(file: URL) {
    self.file = file
    Thread.detachNewThread {
      self.subscribers.withLock { _ in
        self.isHeld.signal()
        while FileManager.default.fileExists(atPath: file.path) { sched_yield() }
      }
    }
    isHeld.wait()
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    try? FileManager.default.removeItem(at: file)
    subscribers.withLock { $0 += 1 }
    (0..<3).publisher.subscribe(subscriber)
  }
}

@Suite struct HangTests {
  /// A copy of a busy process may find a lock taken that nobody releases, wherever the check waits.
  @Test(.hasOwnProcesses, arguments: ["P-14", "S-10"])
  func `A call that does not come back in one copy only is no finding`(_ id: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hang-\(UUID().uuidString)")
    try Data().write(to: file)
    let verification = PublisherVerification("stuck once").finite { StuckOnce(count: $0, file: file) }

    let outcome = verification.result(of: try #require(Rule.named(id))).outcome
    #expect(outcome.word == "held", "\(outcome.reason)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// The copy has the lock, but not the thread that would release it.
  @Test(.hasOwnProcesses) func `A copy that was made while another thread held a Mutex is no finding`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "held-\(UUID().uuidString)")
    try Data().write(to: file)
    let held = Held(file: file)
    let verification = PublisherVerification("held once").finite(3...3) { _ in held }

    let outcome = verification.result(of: try #require(Rule.named("P-01"))).outcome
    #expect(outcome.word == "held", "\(outcome.reason)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// Each process that hangs takes the whole time that a check may take, so the processes are counted.
  @Test(.hasOwnProcesses) func `A check that hangs is waited for twice, in a report and by itself`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hang-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    func hangs() throws -> Int {
      defer { try? Data().write(to: file) }
      return try Data(contentsOf: file).count
    }
    try Data().write(to: file)
    let verification = PublisherVerification("stuck").finite { Stuck(count: $0, file: file) }

    let report = await verification.report()
    #expect(report.leading.map(\.rule.id) == ["S-08"], "\(report)")
    // Once among the others, and once on its own.
    #expect(try hangs() == 2)

    let result = verification.result(of: try #require(Rule.named("S-08")))
    #expect(result.outcome.reason.contains("has not come back"))
    #expect(try hangs() == 2)
  }
}
