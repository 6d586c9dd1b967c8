// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting
import Testing

/// Whether the Thread Sanitizer looks on.
enum SanitizerProbe {
  static let isUnderThreadSanitizer = dlsym(nil, "__tsan_init") != nil
}

extension Trait where Self == ConditionTrait {
  /// For animals that stop their process, or race: the sanitizer does not follow into a copy of the process, so that
  /// all of them would run, and end, in the process of the tests.
  static var hasOwnProcesses: Self { .disabled(if: SanitizerProbe.isUnderThreadSanitizer) }
}

/// Numbers, counted by several threads; under a lock or not.
private struct Counting: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let isLocked: Bool

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: CountingSubscription(isLocked))
  }
}

private final class CountingSubscription: Subscription {
  private let lock = NSLock()
  private let isLocked: Bool
  private var requests = 0

  init(_ isLocked: Bool) { self.isLocked = isLocked }

  func request(_ demand: Subscribers.Demand) {
    if isLocked { lock.withLock { requests += 1 } } else { requests += 1 }
  }

  func cancel() {}
}

@Suite struct SanitizerZooTests {
  private static func outcome(isLocked: Bool) -> Outcome {
    PublisherVerification("counting").finite { _ in Counting(isLocked: isLocked) }.result(of: .named("C-07")!).outcome
  }

  // The sanitizer makes the process end with this status, whatever else it does.
  @Test(.enabled(if: SanitizerProbe.isUnderThreadSanitizer))
  func `A counter without a lock is found where the thread sanitizer looks on`() async {
    let result = await #expect(processExitsWith: .exitCode(66), observing: [\.standardErrorContent]) {
      // More than once, since threads that the system lets run one after another do not race.
      for _ in 0..<10 {
        let outcome = SanitizerZooTests.outcome(isLocked: false)
        if outcome.isBroken, outcome.reason.contains("the thread sanitizer has written") { return }
        FileHandle.standardError.write(Data("\(outcome)\n".utf8))
      }
      exit(1)
    }
    if let result, result.exitStatus != .exitCode(66) {
      Issue.record("\(String(decoding: result.standardErrorContent, as: UTF8.self))")
    }
  }

  @Test func `A counter behind a lock is clean, and without the sanitizer that is not known`() {
    let outcome = Self.outcome(isLocked: true)
    #expect(outcome.word == (SanitizerProbe.isUnderThreadSanitizer ? "held" : "inconclusive"), "\(outcome)")
  }
}
