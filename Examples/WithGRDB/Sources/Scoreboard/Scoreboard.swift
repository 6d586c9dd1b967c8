// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Players

/// Prints the best two players, and saves one more whenever it has.
@main
struct Scoreboard {
  static func main() async throws {
    let players = try Players()
    var waiting = [Player(name: "Ada", score: 3), Player(name: "Bea", score: 1), Player(name: "Cid", score: 2)][...]

    // GRDB does not wait until a value is asked for, so the latest one is kept until the loop comes round.
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
