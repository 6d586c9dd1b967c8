// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The only import of this file: it has to bring along Combine's names and the additional operators.
import PenstockConcurrency
import Testing

@Suite struct ImportTests {
  @Test func `One import brings Combine's names and the further operators`() {
    var values: [Int] = []
    let cancellable = [1, 2, 3].publisher.takeLast(2).sink { values.append($0) }
    #expect(values == [2, 3])
    cancellable.cancel()
  }
}
