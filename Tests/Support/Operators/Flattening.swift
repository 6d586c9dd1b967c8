// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let flattening: [OperatorSpec] = [
    .init("flatMap", requests: .more) { $0.flatMap { Just($0) } },
    .init("flatMap, no values", requests: .more) {
      $0.flatMap(maxPublishers: .max(1)) { _ in Empty<Int, TestError>() }
    },
    .init("switchToLatest", requests: .more) { Just($0).switchToLatest() },
  ]
}
