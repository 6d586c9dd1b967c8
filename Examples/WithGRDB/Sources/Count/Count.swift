// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import GRDB

/// Counts to three in SQL, without a publisher.
///
/// GRDB's own publishers are linked all the same, so the target depends on the product `Combine`.
@main
struct Count {
  static func main() throws {
    let database = try DatabaseQueue()
    let numbers = try database.read { try Int.fetchAll($0, sql: "VALUES (1), (2), (3)") }
    print(numbers)
  }
}
