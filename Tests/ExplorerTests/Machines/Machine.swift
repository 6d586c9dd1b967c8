// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

/// A machine of the library under a script of calls from several threads.
struct Machine: CustomStringConvertible, Sendable {
  let name: String
  var preemptions = 2
  var staleLoads = 0
  let script: @Sendable (Exploration) -> Script

  var description: String { name }

  static let all: [Machine] =
    fanOut + sharing + sequential + queues + fanIn + flattening + timing + ends + tasks + keys + isolation + beyond
    + fusion + pressure + errors + introductions

  init(
    _ name: String, preemptions: Int = 2, staleLoads: Int = 0, _ script: @escaping @Sendable (Exploration) -> Script
  ) {
    self.name = name
    self.preemptions = preemptions
    self.staleLoads = staleLoads
    self.script = script
  }

  /// - Parameters:
  ///   - limit: The largest number of schedules.
  ///   - isMerging: Whether a schedule ends when it reaches the state of another.
  func explored(limit: Int, merging isMerging: Bool = false) -> Findings {
    explore(
      within: .init(preemptions: preemptions, staleLoads: staleLoads), limit: limit, merging: isMerging, script)
  }
}

extension Exploration {
  /// Returns a recorder during whose deliveries other threads may continue.
  func recorder<Input>(
    _ type: Input.Type = Int.self, demand: Subscribers.Demand? = .unlimited
  ) -> Recorder<Input, TestError> {
    let recorder = Recorder<Input, TestError>(demand: demand)
    let identity = ObjectIdentifier(recorder)
    // A subscriber and its publisher refer to each other until the stream ends or is cancelled.
    releases.append {
      recorder.subscription?.cancel()
      recorder.releaseSubscriptions()
    }
    recorder.onGrant = { [unowned self] in touchOutside() }
    recorder.onSubscription = { [unowned self] _ in yield("delivers a subscription") }
    recorder.onValue = { [unowned self] value in
      countDelivery(to: identity)
      yield("delivers \(value)")
      return .none
    }
    recorder.onCompletion = { [unowned self] _ in
      countDelivery(to: identity)
      yield("delivers the completion")
    }
    return recorder
  }

  /// Cancels; from then on, every delivery except the one that may be running counts as a fault.
  func cancel<Input>(_ recorder: Recorder<Input, TestError>) {
    recorder.subscription?.cancel()
    cancelled[ObjectIdentifier(recorder)] = 0
    yield("has cancelled")
  }

  private func countDelivery(to recorder: ObjectIdentifier) {
    guard let late = cancelled[recorder] else { return }
    cancelled[recorder] = late + 1
    if late == 1 { fault("a second delivery has begun after the cancel returned") }
  }
}

extension Recorder {
  /// The rules that have been broken.
  func broken(_ name: String = "the subscriber") -> [String] {
    (hasOverlapped ? ["deliveries to \(name) overlap"] : []) + complaints.map { "\(name): \($0)" }
  }
}

extension Publisher {
  /// Subscribes, and cancels at once.
  func comeAndGo() { sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel() }
}

extension CountedPublisher {
  /// The faults if a subscription has not been cancelled, or has been cancelled twice.
  var unbalanced: [String] {
    expect(subscribed.value == cancelled.value, "subscribed \(subscribed.value), cancelled \(cancelled.value)")
  }
}

/// Returns the fault if an expectation at the end of a script is not met.
func expect(_ condition: Bool, _ fault: @autoclosure () -> String) -> [String] { condition ? [] : [fault()] }
