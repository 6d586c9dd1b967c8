// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// One pipeline, written with Combine's operators and with the checked ones.
///
/// If the result of an operator has a named type, both must have that type: then the checked operator creates the plain
/// one, and nothing else.
struct Twin: Sendable, CustomTestStringConvertible {
  typealias Plain = AnyPublisher<Int, TestError>
  typealias Checked = AnySendablePublisher<Int, TestError>
  typealias Shown = AnyPublisher<String, any Error>
  typealias Clock = VirtualTimeScheduler<VirtualTime, Never>

  let testDescription: String
  let plain: @Sendable (Plain, Clock) -> Shown
  let checked: @Sendable (Checked, Clock) -> Shown

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ plain: @escaping @Sendable (Plain) -> P,
    checked: @escaping @Sendable (Checked) -> SendablePublisher<P>
  ) where P.Output: Sendable {
    self.init(name, timed: { upstream, _ in plain(upstream) }, checked: { upstream, _ in checked(upstream) })
  }

  init<P: Publisher & SendableMetatype>(
    _ name: String, timed plain: @escaping @Sendable (Plain, Clock) -> P,
    checked: @escaping @Sendable (Checked, Clock) -> SendablePublisher<P>
  ) where P.Output: Sendable {
    testDescription = name
    self.plain = { shown(plain($0, $1)) }
    self.checked = { shown(checked($0, $1).publisher) }
  }

  static let all =
    transforming + filtering + reducing + combining + handling + timed + beyond + shapes
    + severalBeyond

  static let transforming = [
    Twin("map", { $0.map { $0 + 1 } }, checked: { $0.map { $0 + 1 } }),
    Twin("map, key path", { $0.map(\.magnitude) }, checked: { $0.map(\.magnitude) }),
    Twin(
      "map, two key paths", { $0.map(\.magnitude, \.description) }, checked: { $0.map(\.magnitude, \.description) }),
    Twin("mapError", { $0.mapError { $0 } }, checked: { $0.mapError { $0 } }),
    Twin(
      "tryMap(skippingFailures:)",
      { $0.tryMap(skippingFailures: { _, _ in }) { try odd($0) }.eraseToAnyPublisher() },
      checked: { $0.tryMap(skippingFailures: { _, _ in }) { try odd($0) }.eraseToAnySendablePublisher() }),
    Twin("tryMap", { $0.tryMap { try odd($0) } }, checked: { $0.tryMap { try odd($0) } }),
    Twin("scan", { $0.scan(0, +) }, checked: { $0.scan(0, +) }),
    Twin("compactMap", { $0.compactMap { $0 == 2 ? nil : $0 } }, checked: { $0.compactMap { $0 == 2 ? nil : $0 } }),
    Twin(
      "replaceNil", { $0.map { $0 == 3 ? nil : $0 }.replaceNil(with: 0) },
      checked: { $0.map { $0 == 3 ? nil : $0 }.replaceNil(with: 0) }),
    Twin(
      "flatMap", { $0.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher.setFailureType(to: TestError.self) } },
      checked: {
        $0.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher.setFailureType(to: TestError.self).sendable }
      }),
    Twin("flatMap, Never", { $0.flatMap { Just($0) } }, checked: { $0.flatMap { Just($0).sendable } }),
    Twin(
      "switchToLatest", { $0.map { Just($0) }.switchToLatest().eraseToAnyPublisher() },
      checked: { $0.map { Just($0).sendable }.switchToLatest().eraseToAnySendablePublisher() }),
  ]

  static let filtering = [
    Twin("filter", { $0.filter { $0 != 2 } }, checked: { $0.filter { $0 != 2 } }),
    Twin("tryFilter", { $0.tryFilter { try odd($0) > 1 } }, checked: { $0.tryFilter { try odd($0) > 1 } }),
    Twin("removeDuplicates", { $0.removeDuplicates() }, checked: { $0.removeDuplicates() }),
    Twin("removeDuplicates(by:)", { $0.removeDuplicates(by: <) }, checked: { $0.removeDuplicates(by: <) }),
    Twin("replaceEmpty", { $0.replaceEmpty(with: 7) }, checked: { $0.replaceEmpty(with: 7) }),
    Twin("dropFirst", { $0.dropFirst() }, checked: { $0.dropFirst() }),
    Twin("drop(while:)", { $0.drop { $0 < 3 } }, checked: { $0.drop { $0 < 3 } }),
    Twin("first", { $0.first() }, checked: { $0.first() }),
    Twin("first(where:)", { $0.first { $0 > 1 } }, checked: { $0.first { $0 > 1 } }),
    Twin("last", { $0.last() }, checked: { $0.last() }),
    Twin("prefix", { $0.prefix(2) }, checked: { $0.prefix(2) }),
    Twin("prefix(while:)", { $0.prefix { $0 < 3 } }, checked: { $0.prefix { $0 < 3 } }),
    Twin("output(in:)", { $0.output(in: 1...2) }, checked: { $0.output(in: 1...2) }),
    Twin(
      "prefix(untilOutputFrom:)", { $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)) },
      checked: { $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false).sendable) }),
  ]

  static let reducing = [
    Twin("reduce", { $0.reduce(0, +) }, checked: { $0.reduce(0, +) }),
    Twin("count", { $0.count() }, checked: { $0.count() }),
    Twin("collect", { $0.collect() }, checked: { $0.collect() }),
    Twin("collect(2)", { $0.collect(2) }, checked: { $0.collect(2) }),
    Twin("ignoreOutput", { $0.ignoreOutput() }, checked: { $0.ignoreOutput() }),
    Twin("max", { $0.max() }, checked: { $0.max() }),
    Twin("min(by:)", { $0.min(by: >) }, checked: { $0.min(by: >) }),
    Twin("contains", { $0.contains(3) }, checked: { $0.contains(3) }),
    Twin("allSatisfy", { $0.allSatisfy { $0 < 3 } }, checked: { $0.allSatisfy { $0 < 3 } }),
    Twin("tryAllSatisfy", { $0.tryAllSatisfy { try odd($0) > 0 } }, checked: { $0.tryAllSatisfy { try odd($0) > 0 } }),
  ]
}

/// How the value of a throwing closure is made in these lines.
private func odd(_ number: Int) throws -> Int {
  if number == 4 { throw TestError.oops }
  return number
}

private func shown<P: Publisher>(_ publisher: P) -> Twin.Shown {
  publisher.map { String(describing: $0) }.mapError { $0 as any Error }.eraseToAnyPublisher()
}
