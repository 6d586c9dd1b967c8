// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// How an operator is seen from upstream and from downstream.
public enum OperatorShape: Sendable {
  /// Forwards upstream's own subscription.
  case transparent
  /// Delivers a subscription of its own, and reacts to signals outside the active phase of its stream.
  case managed(ManagedReactions)
  /// Requests everything, and delivers one result.
  case collecting(CollectedResult)
  /// Delivers a value of its own, -1, in place of a completion.
  case substituting(replaced: Subscribers.Completion<TestError>)

  /// What a debugger shows of most operators of the shape.
  var children: [String] {
    if case .collecting = self { ["downstream", "result", "initial", "status"] } else { [] }
  }
}

/// How an operator of the managed shape treats signals outside the active phase of its stream.
public struct ManagedReactions: Sendable {
  public enum Reaction: Sendable { case ignored, passed, traps }

  public var earlyValue = Reaction.ignored
  public var earlyCompletion = Reaction.ignored
  public var earlyRequest = Reaction.ignored
  public var remembersEarlyCancel = false
  public var acceptsZeroDemand = true
  /// A value after a cancel or a completion.
  public var lateValue = Reaction.ignored
  public var completionAfterCancel = Reaction.ignored
  public var completionAfterCompletion = Reaction.ignored

  /// An operator that ignores all of them.
  public static let strict = Self()

  /// An operator like `drop(while:)`, which also traps on a request for nothing.
  public static let dropping = Self(acceptsZeroDemand: false)

  /// An operator like `filter`: any signal before the subscription is a mistake.
  public static let filterLike = Self(
    earlyValue: .traps, earlyCompletion: .traps, earlyRequest: .traps, remembersEarlyCancel: true,
    acceptsZeroDemand: false)

  /// An operator that forwards values in every state of the stream.
  public static let unchecked = Self(earlyValue: .passed, lateValue: .passed)

  /// An operator like `tryScan`, which forwards completions after the first, too.
  public static let uncheckedEnd = Self(
    earlyValue: .passed, lateValue: .passed, completionAfterCompletion: .passed)

  /// An operator with a coder.
  public static let coding = Self(earlyValue: .passed, earlyCompletion: .passed)

  /// An operator that observes every signal.
  public static let observing = Self(
    earlyValue: .passed, earlyCompletion: .passed, lateValue: .passed, completionAfterCancel: .passed,
    completionAfterCompletion: .passed)
}

/// The result of an operator of the collecting shape.
public struct CollectedResult: Sendable {
  /// Values that do not determine the result on their own, and the result at the end; `nil` for no value at all.
  public var inputs = [2, 3, 1]
  public var result: String?
  /// The result of a stream without values.
  public var emptyResult: String?
  /// A value that determines the result at once, and that result.
  public var decision: (input: Int, result: String)?

  public init(
    _ result: String?, of inputs: [Int] = [2, 3, 1], empty: String? = nil,
    decision: (input: Int, result: String)? = nil
  ) {
    self.inputs = inputs
    self.result = result
    emptyResult = empty
    self.decision = decision
  }
}

extension OperatorSpec {
  /// How the operator reacts, if it is of the managed shape.
  public var reactions: ManagedReactions? {
    if case .managed(let reactions) = shape { reactions } else { nil }
  }

  /// The operator's result, if it is of the collecting shape.
  public var collected: CollectedResult? {
    if case .collecting(let result) = shape { result } else { nil }
  }

  /// The completion that the operator replaces, if it is of the substituting shape.
  public var replacedCompletion: Subscribers.Completion<TestError>? {
    if case .substituting(let completion) = shape { completion } else { nil }
  }

  /// Whether downstream gets upstream's own subscription.
  public var isTransparent: Bool {
    if case .transparent = shape { true } else { false }
  }
}
