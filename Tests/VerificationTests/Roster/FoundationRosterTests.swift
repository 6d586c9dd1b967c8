// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperatorsFoundation
import PenstockTesting
import TestSupport
import Testing

/// The parts of `PenstockFoundation` and `PenstockOperatorsFoundation` that need no other thread, verified by the
/// product.
extension Roster {
  static let foundationPublishers: [any Verification] = [
    SubjectVerification("NotificationCenter.Publisher", { Posts() }, send: { $0.post($1) }, end: nil).allowing(
      "C-06",
      because: "the center tells one observer after the other: two of them may see two posts in different orders"),
    // It never ends, and its run loop is that of the check's thread.
    PublisherVerification("Timer.TimerPublisher").finite { _ in
      Driven(
        Timer.publish(every: 0.001, on: .current, in: .default).autoconnect(), settle: { RunLoop.current.runTick() })
    }.traits(.hot, .shared, .endless),
    PublisherVerification("Publishers.DispatchTimer")
      .ticking(every: 2) { Publishers.timer(scheduler: QueueTime($0), interval: .seconds(2)) }
      .finite(0...50, passing: 200) { count, scheduler in
        Publishers.timer(scheduler: QueueTime(scheduler), interval: .seconds(2), times: .max(count))
      }.traits(.hot),
  ]

  static let coders: [OperatorVerification] = [
    OperatorVerification("JSONEncoder") { upstream in
      upstream.map { [$0] }.encode(encoder: JSONEncoder()).map { String(decoding: $0, as: UTF8.self) }
    },
    OperatorVerification("PropertyListEncoder") { upstream in
      upstream.map { [$0] }.encode(encoder: xml).map { String(decoding: $0, as: UTF8.self) }
    },
    OperatorVerification("JSONDecoder") { upstream in
      upstream.map { Data("[\($0)]".utf8) }.decode(type: [Int].self, decoder: JSONDecoder())
    }.throwing { upstream, check in
      upstream.map { number in Data(((try? check(number)) == nil ? "]" : "[\(number)]").utf8) }
        .decode(type: [Int].self, decoder: JSONDecoder())
    },
    OperatorVerification("PropertyListDecoder") { upstream in
      upstream.map { try! xml.encode([$0]) }.decode(type: [Int].self, decoder: PropertyListDecoder())
    },
  ]

  private static var xml: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return encoder
  }
}

/// The notifications of a center of its own, as numbers.
private struct Posts: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private static let name = Notification.Name("posted")
  private let center = NotificationCenter()

  func post(_ number: Int) { center.post(name: Self.name, object: nil, userInfo: ["number": number]) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    center.publisher(for: Self.name).map { $0.userInfo?["number"] as? Int ?? -1 }.subscribe(subscriber)
  }
}

extension RunLoop {
  /// Runs until three ticks of the timer are over, when a later timer fires.
  fileprivate func runTick() {
    let hasFired = Locked(false)
    let end = Timer(fire: Date(timeIntervalSinceNow: 0.003), interval: 0, repeats: false) { _ in
      hasFired.change { $0 = true }
      // A timer alone does not make a run loop return.
      #if canImport(Darwin)
        CFRunLoopStop(CFRunLoopGetCurrent())
      #else
        RunLoop.current._stop()
      #endif
    }
    add(end, forMode: .default)
    while !hasFired.value { _ = run(mode: .default, before: .distantFuture) }
  }
}

/// The kit's scheduler with the time of a queue.
private struct QueueTime: Scheduler {
  typealias SchedulerOptions = Never
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// Not zero, which Dispatch takes for the present.
  private static let start = 1_000_000_000

  private let base: VerificationScheduler

  init(_ base: VerificationScheduler) { self.base = base }

  var now: SchedulerTimeType {
    let passed = VirtualTime.zero.distance(to: base.now).nanoseconds
    return SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(Self.start + passed)))
  }

  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  private func date(_ time: SchedulerTimeType) -> VirtualTime {
    VirtualTime.zero.advanced(by: .nanoseconds(Int(time.dispatchTime.uptimeNanoseconds) - Self.start))
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: self.date(date), tolerance: 0, options: options, action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: self.date(date), interval: .nanoseconds(interval.magnitude), tolerance: 0, options: options, action)
  }
}

@Suite struct FoundationRosterTests {
  @Test(arguments: Roster.foundationPublishers + Roster.coders as [any Verification])
  func `What works with Foundation keeps the rules`(_ verification: any Verification) async {
    await judge(verification)
  }
}
