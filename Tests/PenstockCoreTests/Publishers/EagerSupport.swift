// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

/// Returns how often a closure runs: when its operator is applied, and after two subscriptions.
///
/// - Parameter apply: Applies an operator, with a closure that calls the given one.
func runs<P: Publisher>(_ apply: (@escaping () -> Void) -> P) -> [Int] {
  var count = 0
  let publisher = apply { count += 1 }
  let whenApplied = count
  for _ in 0..<2 { publisher.subscribe(Recorder<P.Output, P.Failure>()) }
  return [whenApplied, count]
}

/// Returns the events that a publisher delivers to a subscriber with unlimited demand.
func delivered<P: Publisher>(by publisher: P) -> (values: [P.Output], completions: [Subscribers.Completion<P.Failure>])
{
  let recorder = Recorder<P.Output, P.Failure>()
  publisher.subscribe(recorder)
  return (recorder.values, recorder.completions)
}

/// The failure of a result whose errors are not comparable.
extension Result.Publisher where Failure == any Error {
  var thrown: TestError? {
    if case .failure(let error) = result { error as? TestError } else { nil }
  }

  var value: Success? { try? result.get() }
}

/// Uses of the operators on leaf publishers that trap.
enum EagerMisuse: String, CaseIterable, Codable, Sendable {
  case justDropFirst, justPrefix, justOutputAt
  case optionalDropFirst, optionalPrefix, optionalOutputAt
  case optionalLowBound, optionalHighBound, optionalNoUpperBound
  case noneDropFirst, nonePrefix, noneOutputAt
  case sequenceDropFirst, sequencePrefix

  func commit() {
    let some = Optional(1).publisher
    let none = Int?.none.publisher
    switch self {
    case .justDropFirst: _ = Just(1).dropFirst(-1)
    case .justPrefix: _ = Just(1).prefix(-1)
    case .justOutputAt: _ = Just(1).output(at: -1)
    case .optionalDropFirst: _ = some.dropFirst(-1)
    case .optionalPrefix: _ = some.prefix(-1)
    case .optionalOutputAt: _ = some.output(at: -1)
    case .optionalLowBound: _ = some.output(in: -1..<1)
    case .optionalHighBound: _ = some.output(in: 0..<(Int.max - 1))
    case .optionalNoUpperBound: _ = some.output(in: 0...)
    case .noneDropFirst: _ = none.dropFirst(-1)
    case .nonePrefix: _ = none.prefix(-1)
    case .noneOutputAt: _ = none.output(at: -1)
    case .sequenceDropFirst: _ = [1].publisher.dropFirst(-1)
    case .sequencePrefix: _ = [1].publisher.prefix(-1)
    }
  }

  var message: String {
    switch self {
    case .justDropFirst, .optionalDropFirst, .noneDropFirst, .sequenceDropFirst: "dropFirst(_:) takes a count of 0"
    case .justPrefix, .optionalPrefix, .nonePrefix, .sequencePrefix: "prefix(_:) takes a count of 0"
    case .justOutputAt, .optionalOutputAt, .noneOutputAt: "output(at:) takes positions from 0"
    case .optionalLowBound, .optionalHighBound, .optionalNoUpperBound: "output(in:) takes positions from 0"
    }
  }
}
