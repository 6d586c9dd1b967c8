// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Foundation
import Synchronization

/// A worker or a producer, as the program that runs the fleet sees it.
protocol Member: Sendable {
  /// Ends it after it has finished what it has begun.
  func stop()
  /// Ends it without giving it a chance to do anything before.
  func kill()
  /// Makes it do nothing until it is resumed, where that is possible.
  func pause()
  func resume()
  func ended() async
}

extension Child: Member {
  func stop() { send(SIGTERM) }
  func kill() { send(SIGKILL) }
  func pause() { send(SIGSTOP) }
  func resume() { send(SIGCONT) }
}

/// A member that is a task of this process, which is used if the orders are in the process's memory.
struct TaskMember: Member {
  private let task: Task<Void, Never>

  init(_ run: @escaping @Sendable () async throws -> Void) { task = Task { try? await run() } }

  func stop() { task.cancel() }
  func kill() { task.cancel() }
  func pause() {}
  func resume() {}
  func ended() async { await task.value }
}

/// The workers, and the producer.
final class Crew: Sendable {
  private let makeWorker: @Sendable (String, @escaping @Sendable (Report) -> Void) throws -> any Member
  private let ledger: Ledger
  private let state = Mutex(State())

  struct WorkerState: Sendable {
    var counts = WorkerCounts()
    var restarts = 0
  }

  private struct State {
    var members: [String: any Member] = [:]
    var workers: [String: WorkerState] = [:]
  }

  init(
    _ ledger: Ledger,
    makeWorker: @escaping @Sendable (String, @escaping @Sendable (Report) -> Void) throws -> any Member
  ) {
    (self.ledger, self.makeWorker) = (ledger, makeWorker)
  }

  /// What the workers report about themselves, by name.
  var workers: [(name: String, state: WorkerState)] {
    state.withLock { $0.workers.sorted { $0.key < $1.key }.map { (name: $0.key, state: $0.value) } }
  }

  func start(_ name: String) throws {
    let member = try makeWorker(name) { [self] report in
      if case .counts(let counts) = report { state.withLock { $0.workers[name, default: .init()].counts = counts } }
      ledger.add(report, from: name)
    }
    state.withLock { state in
      state.members[name] = member
      state.workers[name, default: .init()].counts = WorkerCounts()
    }
  }

  /// Takes a worker down, and starts another one of the same name.
  ///
  /// - Parameter isKilled: Whether it gets no chance to do anything before.
  func restart(_ name: String, isKilled: Bool) async throws {
    guard let member = state.withLock({ $0.members[name] }) else { return }
    if isKilled { member.kill() } else { member.stop() }
    await member.ended()
    state.withLock { $0.workers[name]?.restarts += 1 }
    try start(name)
  }

  func pause(_ name: String) { state.withLock { $0.members[name] }?.pause() }

  func resume(_ name: String) { state.withLock { $0.members[name] }?.resume() }

  func stop() async {
    let members = state.withLock { Array($0.members.values) }
    for member in members { member.stop() }
    for member in members { await member.ended() }
  }
}
