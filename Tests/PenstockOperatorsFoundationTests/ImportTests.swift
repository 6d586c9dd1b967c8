// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperatorsFoundation
import Testing

@Suite struct ImportTests {
  @Test func `One import brings everything`() {
    var values: [Int] = []
    let cancellable = [1, nil, 3].publisher.unwrap().share(replay: 1).sink { values.append($0) }
    cancellable.cancel()
    #expect(values == [1, 3])
    #expect((try? JSONDecoder().decode([Int].self, from: Data("[1]".utf8))) == [1])
  }
}
