// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let errors: [OperatorSpec] = [
    .init("replaceError", .substituting(replaced: .failure(.oops)), shown: "ReplaceError") {
      $0.replaceError(with: -1).setFailureType(to: TestError.self)
    },
    .init("catch") { $0.catch { _ in Empty<Int, TestError>() } },
    .init("tryCatch") { $0.tryCatch { _ in Empty<Int, TestError>() } },
    .init("tryCatch, throwing") { $0.tryCatch { error -> Empty<Int, TestError> in throw error } },
    .init("retry", traits: [.releasesSubscriber]) { $0.retry(2) },
  ]
}
