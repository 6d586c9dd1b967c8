// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An operator of the managed shape, and how it treats signals outside the active phase of its stream.
struct ManagedCase: Sendable, CustomTestStringConvertible {
  enum Reaction { case ignored, passed, traps }

  let operatorCase: OperatorCase
  var earlyValue = Reaction.ignored
  var earlyCompletion = Reaction.ignored
  var earlyRequest = Reaction.ignored
  var remembersEarlyCancel = false
  var acceptsZeroDemand = true
  /// A value after a cancel or a completion.
  var lateValue = Reaction.ignored
  var completionAfterCancel = Reaction.ignored
  var completionAfterCompletion = Reaction.ignored

  var testDescription: String { operatorCase.testDescription }
  var name: String { operatorCase.shown.description }

  func line(subscribed: Bool = true, demand: Subscribers.Demand? = .unlimited) -> Line {
    operatorCase.line(subscribed: subscribed, demand: demand)
  }

  static func named(_ name: String) -> ManagedCase { all.first { $0.name == name }! }
}

extension ManagedCase {
  static let all = unchecked + filterLike + dropping + coding + looking + scheduling

  /// Operators that forward values in every state of the stream.
  private static let unchecked = [
    ManagedCase(
      operatorCase: OperatorCase("TryMap", outputs: ["20", "30"]) { $0.tryMap { $0 * 10 } },
      earlyValue: .passed, lateValue: .passed),
    ManagedCase(
      operatorCase: OperatorCase("TryScan", children: ["downstream", "status", "result"], outputs: ["2", "5"]) {
        $0.tryScan(0, +)
      },
      earlyValue: .passed, lateValue: .passed, completionAfterCompletion: .passed),
    ManagedCase(operatorCase: OperatorCase("Output") { $0.prefix(5) }, earlyValue: .passed, lateValue: .passed),
  ]

  private static func filterLike(_ operatorCase: OperatorCase) -> ManagedCase {
    ManagedCase(
      operatorCase: operatorCase, earlyValue: .traps, earlyCompletion: .traps, earlyRequest: .traps,
      remembersEarlyCancel: true, acceptsZeroDemand: false)
  }

  private static let filterLike = [
    filterLike(OperatorCase("TryFilter", children: ["downstream"]) { $0.tryFilter { $0 > 0 } }),
    filterLike(
      OperatorCase("TryCompactMap", children: ["downstream"], outputs: ["2", "3"]) {
        $0.tryCompactMap { $0 > 0 ? $0 : nil }
      }),
    filterLike(OperatorCase("RemoveDuplicates", children: ["downstream", "last"]) { $0.removeDuplicates() }),
    filterLike(
      OperatorCase("TryRemoveDuplicates", children: ["downstream", "last"]) { $0.tryRemoveDuplicates(by: ==) }),
    filterLike(OperatorCase("PrefixWhile", children: ["downstream"]) { $0.prefix { $0 > 0 } }),
    filterLike(OperatorCase("TryPrefixWhile", children: ["downstream"]) { $0.tryPrefix { $0 > 0 } }),
  ]

  private static let dropping = [
    ManagedCase(operatorCase: OperatorCase("DropWhile") { $0.drop { $0 < 0 } }, acceptsZeroDemand: false),
    ManagedCase(operatorCase: OperatorCase("TryDropWhile") { $0.tryDrop { $0 < 0 } }, acceptsZeroDemand: false),
  ]

  private static let coding = [
    ManagedCase(
      operatorCase: OperatorCase("Encode", children: ["downstream", "finished", "upstreamSubscription"]) {
        $0.encode(encoder: TextEncoder())
      },
      earlyValue: .passed, earlyCompletion: .passed),
    ManagedCase(
      operatorCase: OperatorCase("Decode", children: ["downstream", "finished", "upstreamSubscription"]) {
        $0.decode(type: Int.self, decoder: NumberDecoder())
      },
      earlyValue: .passed, earlyCompletion: .passed),
  ]

  private static func looking(_ operatorCase: OperatorCase) -> ManagedCase {
    ManagedCase(
      operatorCase: operatorCase, earlyValue: .passed, earlyCompletion: .passed, lateValue: .passed,
      completionAfterCancel: .passed, completionAfterCompletion: .passed)
  }

  private static let looking = [
    looking(OperatorCase("Print") { $0.print(to: Silence()) }),
    looking(OperatorCase("HandleEvents") { $0.handleEvents() }),
  ]

  private static let scheduling = [
    ManagedCase(operatorCase: OperatorCase("SubscribeOn") { $0.subscribe(on: ImmediateScheduler.shared) })
  ]
}

/// An output stream that discards everything.
private struct Silence: TextOutputStream {
  func write(_ string: String) {}
}
