// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork

/// What is done to the fleet while it runs, one after the other.
enum Fault: Sendable {
  /// A worker is killed inside of its work.
  case workerKilled(Int)
  /// A worker is told to stop: it finishes what it has begun.
  case workerStopped(Int)
  /// A server is killed, and started again later.
  case nodeKilled(Int)
  /// A server does nothing for a while.
  case nodePaused(Int)

  /// What happens in turn.
  static func plan(_ engine: Engine, workers: Int, nodes: Int) -> [Fault] {
    let workerFaults = (0..<workers).map { $0.isMultiple(of: 2) ? Fault.workerKilled($0) : .workerStopped($0) }
    let nodeFaults = (0..<nodes).flatMap { [Fault.nodeKilled($0), .nodePaused($0)] }
    return (0..<max(workerFaults.count, nodeFaults.count)).flatMap { index in
      [workerFaults, nodeFaults].compactMap { $0.isEmpty ? nil : $0[index % $0.count] }
    }
  }

  /// Does it, and waits until what was taken down has been started again.
  func happen(to crew: Crew, _ servers: Servers, _ ledger: Ledger) async throws {
    switch self {
    case .workerKilled(let index):
      ledger.note("w\(index + 1) is killed")
      try await crew.restart("w\(index + 1)", isKilled: true)
    case .workerStopped(let index):
      ledger.note("w\(index + 1) is told to stop")
      try await crew.restart("w\(index + 1)", isKilled: false)
    case .nodeKilled(let index):
      let node = servers.nodes[index]
      ledger.note("\(node.name) is killed")
      node.kill()
      try await Task.sleep(for: .seconds(2))
      try node.start()
      ledger.note("\(node.name) is started again")
    case .nodePaused(let index):
      let node = servers.nodes[index]
      ledger.note("\(node.name) is paused")
      node.pause()
      try await Task.sleep(for: .seconds(2))
      node.resume()
      ledger.note("\(node.name) goes on")
    }
  }
}
