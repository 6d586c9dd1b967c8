// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let buffering: [OperatorSpec] = [
    .init("buffer, keepFull", requests: .more, traits: [.buffers]) {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 4, prefetch: .keepFull, whenFull: .dropNewest)
    },
    .init("buffer, byRequest", requests: .more, traits: [.buffers]) {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 1_000_000, prefetch: .byRequest, whenFull: .customError { TestError("full") })
    },
  ]
}
