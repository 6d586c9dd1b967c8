// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

typealias Manual = ManualPublisher<Int, TestError>
typealias Stream = AnyPublisher<Int, TestError>
typealias RowRecorder = Recorder<[Int], TestError>

/// An operator with a fixed number of upstreams, as a function from streams of numbers to a stream of rows.
struct FanInCase: Sendable, CustomTestStringConvertible {
  enum Kind { case merge, zip, combineLatest }

  let kind: Kind
  let testDescription: String
  let count: Int
  let combine: @Sendable ([Stream]) -> AnyPublisher<[Int], TestError>

  init<P: Publisher<[Int], TestError> & SendableMetatype>(
    _ kind: Kind, _ name: String, _ count: Int, _ combine: @escaping @Sendable ([Stream]) -> P
  ) {
    self.kind = kind
    testDescription = name
    self.count = count
    self.combine = { combine($0).eraseToAnyPublisher() }
  }

  /// The text that `print()` prints.
  var name: String {
    switch kind {
    case .merge: "Merge"
    case .zip: "Zip"
    case .combineLatest: "CombineLatest"
    }
  }

  /// Attaches a subscriber to the operator, with publishers that are driven by hand.
  func attach(_ recorder: RowRecorder, upstreams: [Manual]? = nil) -> [Manual] {
    let upstreams = upstreams ?? (0..<count).map { _ in Manual() }
    combine(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(recorder)
    return upstreams
  }

  static let merges: [FanInCase] = [
    .init(.merge, "merge", 2) { Publishers.Merge($0[0], $0[1]).map { [$0] } },
    .init(.merge, "merge of 3", 3) { $0[0].merge(with: $0[1], $0[2]).map { [$0] } },
    .init(.merge, "merge of 4", 4) { $0[0].merge(with: $0[1], $0[2], $0[3]).map { [$0] } },
    .init(.merge, "merge of 5", 5) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4]).map { [$0] } },
    .init(.merge, "merge of 6", 6) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0] } },
    .init(.merge, "merge of 7", 7) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { [$0] } },
    .init(.merge, "merge of 8", 8) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map { [$0] }
    },
    .init(.merge, "merge with the same type", 2) { $0[0].merge(with: $0[1]).map { [$0] } },
    .init(.merge, "MergeMany", 5) { Publishers.MergeMany($0).map { [$0] } },
  ]

  static let zips: [FanInCase] = [
    .init(.zip, "zip", 2) { $0[0].zip($0[1]).map { [$0.0, $0.1] } },
    .init(.zip, "zip of 3", 3) { $0[0].zip($0[1], $0[2]).map { [$0.0, $0.1, $0.2] } },
    .init(.zip, "zip of 4", 4) { $0[0].zip($0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
    .init(.zip, "zip by a closure", 2) { $0[0].zip($0[1]) { [$0, $1] } },
    .init(.zip, "zip of 3 by a closure", 3) { $0[0].zip($0[1], $0[2]) { [$0, $1, $2] } },
    .init(.zip, "zip of 4 by a closure", 4) { $0[0].zip($0[1], $0[2], $0[3]) { [$0, $1, $2, $3] } },
  ]

  static let combineLatests: [FanInCase] = [
    .init(.combineLatest, "combineLatest", 2) { $0[0].combineLatest($0[1]).map { [$0.0, $0.1] } },
    .init(.combineLatest, "combineLatest of 3", 3) {
      $0[0].combineLatest($0[1], $0[2]).map { [$0.0, $0.1, $0.2] }
    },
    .init(.combineLatest, "combineLatest of 4", 4) {
      $0[0].combineLatest($0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] }
    },
    .init(.combineLatest, "combineLatest by a closure", 2) { $0[0].combineLatest($0[1]) { [$0, $1] } },
    .init(.combineLatest, "combineLatest of 3 by a closure", 3) {
      $0[0].combineLatest($0[1], $0[2]) { [$0, $1, $2] }
    },
    .init(.combineLatest, "combineLatest of 4 by a closure", 4) {
      $0[0].combineLatest($0[1], $0[2], $0[3]) { [$0, $1, $2, $3] }
    },
  ]

  static let all = merges + zips + combineLatests
  static let tuples = zips + combineLatests
}
