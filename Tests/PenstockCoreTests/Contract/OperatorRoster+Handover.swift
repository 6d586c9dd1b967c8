// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

extension RosterEntry {
  /// The operators that subscribe to one upstream after the other.
  static let handover: [RosterEntry] = [
    .init("catch") { $0.catch { _ in Empty<Int, TestError>() } },
    .init(throwing: "tryCatch") { $0.tryCatch { _ in Empty<Int, TestError>() } },
    .init(throwing: "tryCatch, throwing") { $0.tryCatch { error -> Empty<Int, TestError> in throw error } },
    .init("retry") { $0.retry(2) },
    .init("append") { $0.append(100) },
    .init("append, erased") { $0.append(Empty()).eraseToAnyPublisher().append(100) },
    .init("prepend") { $0.prepend(Empty()) },
  ]

  /// A buffer keeps values and a completion without demand, so it takes no part in tests that leave some of them.
  static let buffering: [RosterEntry] = [
    .init("buffer, keepFull", asksForEverything: true) {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 4, prefetch: .keepFull, whenFull: .dropNewest)
    },
    .init("buffer, byRequest", asksForEverything: true) {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 1_000_000, prefetch: .byRequest, whenFull: .customError { TestError("full") })
    },
  ]
}
