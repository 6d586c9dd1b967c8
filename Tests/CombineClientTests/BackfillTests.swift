// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Backfill
import Combine
import Testing

@Suite struct BackfillTests {
  @Test func `A package's own Optional.publisher wins and is not ambiguous`() {
    var received: [[Int]] = []
    let cancellable = Optional(3).publisher.sink { received.append($0) }
    withExtendedLifetime(cancellable) {}
    // The package's property delivers everything twice, which tells it apart.
    #expect(received == [[3, 3]])
  }
}
