// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import Penstock

enum ComingFromCombinePenstock {
  // Which product, which import | is for a server, a tool or a library without an Apple app
  static func penstock() async throws {
    let decoded = Just(Data("7".utf8)).decode(type: Int.self, decoder: JSONDecoder())
    var values: [Int] = []
    for try await value in decoded.receive(on: DispatchQueue.main).values { values.append(value) }
    expect(values, [7])
  }
}
