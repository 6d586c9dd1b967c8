// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting

extension DeliveryEngine {
  /// Receives two deliveries, to do something with the first, while the second shows that time has passed.
  private func pair() async throws -> (
    recording: Recording<Deliveries.Output, Deliveries.Failure>, first: Deliveries.Output, second: Deliveries.Output
  ) {
    try await publish(1...2)
    let recording = deliveries().record(atEnd: [])
    let items = try await recording.next(2, within: Patience.cap)
    try expectEqual(texts(items), ["1", "2"], "the first two")
    return (recording, items[0], items[1])
  }

  func repeatsWhatExpires() async throws {
    let (recording, first, second) = try await pair()
    try await first.ack()
    let again = try await recording.next(within: Patience.cap)[0]
    try expectEqual(text(of: again), "2", "what comes again")
    try expectEqual(again.attempt, 2, "its attempt")
    // Half of the deadline, since an age is measured when a delivery arrives, which may have been late the first time.
    try expect(again.age - second.age >= Patience.current.deadline / 2, "it comes before its deadline is over")
    // Its first delivery can no longer settle it, in any way.
    try? await second.nak(after: nil)
    try? await again.ack()
    try end(recording)
    try await expectNothingButOf(second)
  }

  /// If a late call on a first attempt brings a delivery back, that one is acknowledged.
  private func expectNothingButOf(_ item: Deliveries.Output) async throws {
    let recording = deliveries().record(atEnd: [])
    try await eventually("nothing is kept") {
      for value in recording.values {
        try expectEqual(text(of: value), text(of: item), "what comes again")
        try? await value.ack()
      }
      return try await retainedCount() == 0
    }
    try end(recording)
  }

  func repeatsWhatIsGivenBack() async throws { try await expectAgain(after: nil) }

  func delaysWhatIsGivenBack() async throws { try await expectAgain(after: Patience.current.delay) }

  /// Gives a delivery back, which has to come again, and not before its delay is over.
  private func expectAgain(after delay: Duration?) async throws {
    let (recording, first, second) = try await pair()
    try await second.ack()
    try await first.nak(after: delay)
    let again = try await recording.next(within: Patience.cap)[0]
    try expectEqual(text(of: again), "1", "what comes again")
    try expectEqual(again.attempt, 2, "its attempt")
    if let delay { try expect(again.age - first.age >= delay / 2, "it comes before its delay is over") }
    try await again.ack()
    try await expectEmpty()
    try end(recording)
  }

  func forgetsWhatIsTerminated() async throws {
    let (recording, first, second) = try await pair()
    try await first.terminate()
    let again = try await recording.next(within: Patience.cap)[0]
    try expectEqual(text(of: again), "2", "what comes again")
    try await again.ack()
    try await expectNothingButOf(second)
    try end(recording)
  }

  func extendsDeadlines() async throws {
    let (recording, first, second) = try await pair()
    // The second one shows that the deadline is over; the first one is extended until the second comes.
    let extending = Task { try await regularly(every: Patience.current.deadline / 8) { try await first.extend() } }
    let again = try await recording.next(within: Patience.cap)[0]
    try expectEqual(text(of: again), "2", "what comes again")
    extending.cancel()
    try await extending.value
    try await first.ack()
    try await again.ack()
    try await expectNothingButOf(second)
    try end(recording)
  }

  func settlesOnce() async throws {
    let (recording, first, second) = try await pair()
    try await first.ack()
    try await second.terminate()
    for item in [first, second] {
      for settle in [item.ack, { try await item.nak(after: nil) }, item.terminate, item.extend] {
        do {
          try await settle()
        } catch {
          try expectEqual((error as? DeliveryError)?.reason, .settled, "the reason")
          continue
        }
        throw BrokenRule("a delivery has been settled or extended after it had been settled")
      }
    }
    try await expectEmpty()
    try end(recording)
  }
}
