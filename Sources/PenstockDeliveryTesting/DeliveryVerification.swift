// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// A verification of an engine of deliveries against the rules that the queue in memory, NATS and Redis keep.
///
/// Say how to make the engine, with the deadline that the check needs. Each rule gets an engine of its own, with
/// nothing in it.
///
/// ```swift
/// struct QueueEngine: DeliveryEngine {
///   let queue: DeliveryQueue<String>
///
///   func publish(_ texts: [String], headers: [String: String]) async throws {
///     for text in texts { try await queue.publish(text, headers: headers) }
///   }
///
///   func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> QueuedDeliveries<String> {
///     queue.deliveries(batch: batch, refillAt: lowMark)
///   }
///
///   func text(of delivery: QueuedDelivery<String>) -> String { delivery.payload }
///   func unsettledCount() -> Int { queue.counts.unsettled }
///   func retainedCount() -> Int { queue.counts.unsettled + queue.counts.waiting }
/// }
///
/// let verification = DeliveryVerification("queue") { configuration in
///   QueueEngine(queue: DeliveryQueue(capacity: 1_000, deadline: configuration.deadline))
/// }
/// try await verification.check("D-13")
/// print(await verification.result(of: DeliveryRule.named("D-13")!))
/// // Prints "· D-13 A delivery is settled once  [held]  queue"
/// ```
///
/// In Swift Testing, one line per rule; in XCTest, a call that throws:
///
/// ```text
/// @Test(arguments: DeliveryRule.all)
/// func queue(_ rule: DeliveryRule) async throws { try await verification.check(rule) }
///
/// func testQueue() async throws { try await verification.checkAll() }
/// ```
///
/// A rule that the engine cannot keep is waived, with the reason: ``waiving(_:because:)``.
///
/// **Concurrency:** a check runs in tasks, on threads of Swift's. It waits for events of the engine, and asks again and
/// again for a count of its own until that is as expected. Checks may run at the same time if their engines share
/// nothing. A check whose task is cancelled ends with an inconclusive result.
public struct DeliveryVerification<Engine: DeliveryEngine>: Sendable {
  /// The name of the engine, in reports.
  public let name: String

  /// The rules that are broken on purpose, with the reason; see ``waiving(_:because:)``.
  public private(set) var waivers: [DeliveryRule: String] = [:]

  /// The deadline of deliveries for the rules that wait until it has passed; three seconds by default.
  ///
  /// Shorter ones make a check faster; on a busy machine one of less than a second may pass before an extension of it
  /// arrives. A broker that counts whole seconds needs whole seconds.
  public var deadline = Duration.seconds(3)

  /// The delay with which a check gives a delivery back; 300 milliseconds by default.
  public var redeliveryDelay = Duration.milliseconds(300)

  /// The longest time that a check waits for one event; a minute by default.
  ///
  /// Only a broken rule takes that long: every other wait ends with its event. A rule that waits for the ``deadline``
  /// has that much longer. A check as a whole is given up after three times as long, since a call of the engine may
  /// never return.
  public var timeLimit = Duration.seconds(60)

  private let makeEngine: @Sendable (DeliveryEngineConfiguration) async throws -> Engine

  /// Creates a verification of an engine.
  ///
  /// - Parameters:
  ///   - name: The name of the engine, in reports.
  ///   - makeEngine: Makes an engine without messages; called for each check.
  public init(
    _ name: String, makeEngine: @escaping @Sendable (DeliveryEngineConfiguration) async throws -> Engine
  ) {
    (self.name, self.makeEngine) = (name, makeEngine)
  }

  /// Returns a verification that accepts the break of a rule as intended.
  ///
  /// A waiver of a rule that holds is reported, so that no outdated waiver stays. An identifier that no rule has is a
  /// programming error, and traps.
  ///
  /// - Parameters:
  ///   - id: The identifier of the rule.
  ///   - reason: What the broker lacks, for reports.
  public func waiving(_ id: String, because reason: String) -> Self {
    var copy = self
    copy.waivers[rule(id)] = reason
    return copy
  }

  /// Checks one rule; throws if it is broken without a waiver, and if its waiver is not used.
  ///
  /// - Throws: A ``DeliveryVerificationError``.
  public func check(_ rule: DeliveryRule) async throws { try await judged(report(on: [rule])) }

  /// Checks one rule, by its identifier; an identifier that no rule has traps.
  ///
  /// - Throws: A ``DeliveryVerificationError``.
  public func check(_ id: String) async throws { try await check(rule(id)) }

  /// Checks all rules, one after the other; throws one error with everything that was found.
  ///
  /// - Throws: A ``DeliveryVerificationError``.
  public func checkAll() async throws { try await judged(report()) }

  /// Runs all rules, one after the other.
  public func report() async -> DeliveryReport { await report(on: DeliveryRule.all) }

  /// Runs one rule, and waives its break if there is a waiver.
  public func result(of rule: DeliveryRule) async -> DeliveryResult { await report(on: [rule]).results[0] }

  private func report(on rules: [DeliveryRule]) async -> DeliveryReport {
    var results: [DeliveryResult] = []
    var unused: [DeliveryRule] = []
    for rule in rules {
      var outcome = await outcome(of: rule)
      if let reason = waivers[rule] {
        switch outcome {
        case .broken: outcome = .waived(reason)
        case .held, .notApplicable: unused.append(rule)
        // A rule that could not be checked cannot show whether its waiver is needed.
        case .inconclusive, .waived: break
        }
      }
      results.append(DeliveryResult(subject: name, rule: rule, outcome: outcome))
    }
    return DeliveryReport(subject: name, results: results, unusedWaivers: unused)
  }

  private func judged(_ report: DeliveryReport) throws {
    if report.failures.isEmpty, report.unusedWaivers.isEmpty { return }
    throw DeliveryVerificationError(report: report)
  }

  /// Makes an engine, runs the check of a rule, and closes the engine.
  private func outcome(of rule: DeliveryRule) async -> DeliveryResult.Outcome {
    let check = rule.check
    let configuration = DeliveryEngineConfiguration(
      rule: rule, deadline: check.waitsForDeadline ? deadline : .seconds(3_600), outageLimit: check.outageLimit)
    var patience = Patience()
    let limit = timeLimit + (check.waitsForDeadline ? deadline : .zero)
    (patience.cap, patience.deadline, patience.delay) = (limit, configuration.deadline, redeliveryDelay)
    let outcome = await Patience.$current.withValue(patience) {
      await ended(within: limit * 3) { [makeEngine] () -> DeliveryResult.Outcome in
        let engine: Engine
        do { engine = try await makeEngine(configuration) } catch {
          return .inconclusive("no engine could be made: \(error)")
        }
        let outcome = await Self.outcome(of: check, engine)
        await engine.close()
        return outcome
      }
    }
    if let outcome { return outcome }
    return Task.isCancelled
      ? .inconclusive("the task of the check has been cancelled")
      : .broken("a call of the engine has not returned within \(limit * 3)")
  }

  private static func outcome(of check: DeliveryCheck, _ engine: Engine) async -> DeliveryResult.Outcome {
    guard engine.capabilities.isSuperset(of: check.capability) else {
      return .notApplicable("the engine does not have the capability \(check.capability)")
    }
    do {
      try await check.run(engine)
      return .held
    } catch {
      return .broken(finding(error))
    }
  }

  private func rule(_ id: String) -> DeliveryRule {
    let rule = DeliveryRule.named(id)
    require(rule != nil, of: "DeliveryVerification", rule: "the identifier of a rule, as D-01", given: id)
    return rule!
  }
}
