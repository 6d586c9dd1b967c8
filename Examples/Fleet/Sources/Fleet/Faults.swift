// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork

/// The faults that are inflicted on the fleet while it runs, one after the other.
enum Fault: Sendable {
  /// A worker is killed during its work.
  case workerKilled(Int)
  /// A worker is told to stop: it finishes what it has begun.
  case workerStopped(Int)
  /// A worker does nothing for a while, and does not read what the server sends it.
  case workerPaused(Int)
  /// A server is killed, and started again later.
  case nodeKilled(Int)
  /// A server does nothing for a while.
  case nodePaused(Int)

  /// Returns the faults, in order.
  static func plan(_ engine: Engine, workers: Int, nodes: Int) -> [Fault] {
    let workerFaults = (0..<workers).map { index -> Fault in
      // A member that is a task of this process can't be paused.
      switch index % 3 {
      case 0: return .workerKilled(index)
      case 2 where engine != .memory: return .workerPaused(index)
      default: return .workerStopped(index)
      }
    }
    let nodeFaults = (0..<nodes).flatMap { [Fault.nodeKilled($0), .nodePaused($0)] }
    return (0..<max(workerFaults.count, nodeFaults.count)).flatMap { index in
      [workerFaults, nodeFaults].compactMap { $0.isEmpty ? nil : $0[index % $0.count] }
    }
  }

  /// Inflicts the fault, and waits until what was taken down has been started again.
  ///
  /// - Parameter outage: How long servers are down, and how long something stands still.
  func happen(to crew: Crew, _ servers: Servers, _ ledger: Ledger, outage: Duration) async throws {
    switch self {
    case .workerKilled(let index):
      ledger.note("w\(index + 1) is killed")
      try await crew.restart("w\(index + 1)", isKilled: true)
    case .workerStopped(let index):
      ledger.note("w\(index + 1) is told to stop")
      try await crew.restart("w\(index + 1)", isKilled: false)
    case .workerPaused(let index):
      ledger.note("w\(index + 1) is paused")
      crew.pause("w\(index + 1)")
      // It is resumed in any case: it could not end otherwise.
      defer { crew.resume("w\(index + 1)") }
      try await Task.sleep(for: outage)
      ledger.note("w\(index + 1) goes on")
    case .nodeKilled(let index):
      let node = servers.nodes[index]
      ledger.note("\(node.name) is killed")
      node.kill()
      try await Task.sleep(for: outage)
      try node.start()
      ledger.note("\(node.name) is started again")
    case .nodePaused(let index):
      let node = servers.nodes[index]
      ledger.note("\(node.name) is paused")
      node.pause()
      try await Task.sleep(for: outage)
      node.resume()
      ledger.note("\(node.name) goes on")
    }
  }
}
