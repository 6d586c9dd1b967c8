// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Players

/// Prints the best two players, and saves another one each time.
@main
struct Scoreboard {
  static func main() async throws {
    let players = try Players()
    var waiting = [Player(name: "Ada", score: 3), Player(name: "Bea", score: 1), Player(name: "Cid", score: 2)][...]

    // GRDB delivers without waiting for demand, so a buffer keeps the latest value until the loop requests it.
    let best = players.best(2).removeDuplicates().buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
    for try await players in best.values {
      print("best:", players.map { "\($0.name) \($0.score)" })
      guard let next = waiting.popFirst() else { break }
      try await save(next)
    }

    func save(_ player: Player) async throws {
      for try await count in players.save(player).values { print("players:", count) }
    }
  }
}
