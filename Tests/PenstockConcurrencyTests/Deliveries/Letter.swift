// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

/// A post office that records what happens to letters, and refuses what a test says.
final class Post: Sendable {
  private let log = Locked<[String]>([])
  private let refusals = Locked<[String: [DeliveryError.Reason?]]>([:])

  /// Answers a word about a letter with errors, one after the other, and then accepts it; `nil` accepts it.
  func refuse(_ word: String, _ reasons: DeliveryError.Reason?...) { refusals.change { $0[word] = reasons } }

  fileprivate func note(_ word: String) throws(DeliveryError) {
    let reason = refusals.change { refusals -> DeliveryError.Reason? in
      guard let first = refusals[word]?.first else { return nil }
      refusals[word]?.removeFirst()
      return first
    }
    log.change { $0.append(word) }
    if let reason { throw DeliveryError(reason, "the post refuses it") }
  }

  /// What has been said about letters, in order.
  var words: [String] { log.value }

  /// Returns what has been said, and begins again.
  func take() -> [String] {
    log.change { words in
      defer { words = [] }
      return words
    }
  }
}

/// A delivery that a test makes by hand.
struct Letter: Delivery {
  let payload: Int
  let attempt: Int
  let maxAttempts: Int?
  let deadline: Duration?
  private let post: Post

  init(_ post: Post, _ payload: Int, attempt: Int = 1, maxAttempts: Int? = nil, deadline: Duration? = nil) {
    (self.post, self.payload) = (post, payload)
    (self.attempt, self.maxAttempts, self.deadline) = (attempt, maxAttempts, deadline)
  }

  var subject: String { "" }
  var headers: [String: String] { [:] }
  var age: Duration { .zero }

  func ack() async throws(DeliveryError) { try post.note("ack \(payload)") }

  func nak(after delay: Duration?) async throws(DeliveryError) {
    try post.note("nak \(payload)\(delay.map { ", \($0)" } ?? "")")
  }

  func giveBack() async throws(DeliveryError) { try post.note("give back \(payload)") }

  func extend() async throws(DeliveryError) { try post.note("extend \(payload)") }

  func terminate() async throws(DeliveryError) { try post.note("terminate \(payload)") }
}
