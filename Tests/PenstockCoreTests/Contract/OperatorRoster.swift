// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One operator for the tests that all operators have to pass: a function from streams of numbers to streams of
/// numbers.
struct RosterEntry: Sendable, CustomTestStringConvertible {
  typealias Stream = AnyPublisher<Int, TestError>

  let name: String
  /// Whether the operator requests more from upstream than downstream has requested.
  let asksForEverything: Bool
  let apply: @Sendable (Stream) -> Stream

  var testDescription: String { name }

  init<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, asksForEverything: Bool = false, _ apply: @escaping @Sendable (Stream) -> P
  ) {
    self.name = name
    self.asksForEverything = asksForEverything
    self.apply = { apply($0).eraseToAnyPublisher() }
  }

  /// An operator whose failure is any error.
  init<P: Publisher<Int, any Error> & SendableMetatype>(
    throwing name: String, asksForEverything: Bool = false, _ apply: @escaping @Sendable (Stream) -> P
  ) {
    self.init(name, asksForEverything: asksForEverything) {
      apply($0).mapError { $0 as? TestError ?? TestError("\($0)") }
    }
  }
}

private struct Pair {
  var a: Int
  var b: Int
}

private struct RosterEncoder: TopLevelEncoder {
  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
}

private struct RosterDecoder: TopLevelDecoder {
  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let value = Int(text) as? T else { throw TestError("undecodable") }
    return value
  }
}

/// A number from a value that cannot exist.
private func absurd(_ never: Never) -> Int {}

/// An output stream that discards everything.
private struct Nowhere: TextOutputStream {
  func write(_ string: String) {}
}

extension RosterEntry {
  static let all: [RosterEntry] =
    mapping + filtering + prefixing + collecting + matching + debugging + sharing + handover + flattening + combining
    + timing

  static let mapping: [RosterEntry] = [
    .init("map") { $0.map { $0 + 1 } },
    .init("map, key path") { $0.map { Pair(a: $0, b: 1) }.map(\.a) },
    .init("map, two key paths") { $0.map { Pair(a: $0, b: 1) }.map(\.a, \.b).map { $0 + $1 } },
    .init("mapError") { $0.mapError { TestError($0.text + "!") } },
    .init("setFailureType") { $0.assertNoFailure().setFailureType(to: TestError.self) },
    .init("replaceNil") { $0.map { $0 == 3 ? nil : $0 }.replaceNil(with: 0) },
    .init("scan") { $0.scan(0, +) },
    .init(throwing: "tryMap") { $0.tryMap { $0 + 1 } },
    .init(throwing: "tryScan") { $0.tryScan(0) { $0 + $1 } },
    .init(throwing: "encode, decode") {
      $0.encode(encoder: RosterEncoder()).decode(type: Int.self, decoder: RosterDecoder())
    },
  ]

  static let filtering: [RosterEntry] = [
    .init("filter") { $0.filter { !$0.isMultiple(of: 3) } },
    .init("compactMap") { $0.compactMap { $0.isMultiple(of: 3) ? nil : $0 } },
    .init("removeDuplicates") { $0.removeDuplicates { $0 / 2 == $1 / 2 } },
    .init("replaceEmpty") { $0.replaceEmpty(with: 0) },
    .init("replaceError") { $0.replaceError(with: 0).setFailureType(to: TestError.self) },
    .init(throwing: "tryFilter") { $0.tryFilter { !$0.isMultiple(of: 3) } },
    .init(throwing: "tryCompactMap") { $0.tryCompactMap { $0.isMultiple(of: 3) ? nil : $0 } },
    .init(throwing: "tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 / 2 == $1 / 2 } },
  ]

  static let prefixing: [RosterEntry] = [
    .init("dropFirst", asksForEverything: true) { $0.dropFirst(2) },
    .init("drop(while:)") { $0.drop { $0 < 3 } },
    .init("prefix") { $0.prefix(1_000_000) },
    .init("output(in:)") { $0.output(in: 1...) },
    .init("prefix(while:)") { $0.prefix { $0 < 1_000_000_000 } },
    .init(throwing: "tryDrop(while:)") { $0.tryDrop { $0 < 3 } },
    .init(throwing: "tryPrefix(while:)") { $0.tryPrefix { $0 < 1_000_000_000 } },
  ]

  static let collecting: [RosterEntry] = [
    .init("collect", asksForEverything: true) { $0.collect().map(\.count) },
    .init("collect(3)", asksForEverything: true) { $0.collect(3).map { $0.reduce(0, +) } },
    .init("count", asksForEverything: true) { $0.count() },
    .init("reduce", asksForEverything: true) { $0.reduce(0, +) },
    .init("min", asksForEverything: true) { $0.min() },
    .init("max", asksForEverything: true) { $0.max() },
    .init("last", asksForEverything: true) { $0.last() },
    .init("last(where:)", asksForEverything: true) { $0.last { $0 < 4 } },
    .init("ignoreOutput", asksForEverything: true) { $0.ignoreOutput().map(absurd) },
    .init(throwing: "tryReduce", asksForEverything: true) { $0.tryReduce(0) { $0 + $1 } },
    .init(throwing: "tryMax", asksForEverything: true) { $0.tryMax { $0 < $1 } },
  ]

  static let matching: [RosterEntry] = [
    .init("first", asksForEverything: true) { $0.first() },
    .init("first(where:)", asksForEverything: true) { $0.first { $0 == 3 } },
    .init("contains", asksForEverything: true) { $0.contains(4).map { $0 ? 1 : 0 } },
    .init("contains(where:)", asksForEverything: true) { $0.contains { $0 > 4 }.map { $0 ? 1 : 0 } },
    .init("allSatisfy", asksForEverything: true) { $0.allSatisfy { $0 < 4 }.map { $0 ? 1 : 0 } },
    .init(throwing: "tryContains", asksForEverything: true) { $0.tryContains { $0 > 4 }.map { $0 ? 1 : 0 } },
  ]

  static let debugging: [RosterEntry] = [
    .init("print") { $0.print("", to: Nowhere()) },
    .init("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
    .init("breakpoint") { $0.breakpoint(receiveOutput: { _ in false }) },
    .init("erased") { $0.eraseToAnyPublisher() },
  ]

  static let sharing: [RosterEntry] = [
    .init("share", asksForEverything: true) { $0.share() },
    .init("multicast, autoconnect", asksForEverything: true) {
      $0.multicast { PassthroughSubject<Int, TestError>() }.autoconnect()
    },
  ]

  /// Operators whose values are the same however they are requested: without sharing, whose subject drops values
  /// without demand.
  static let cold = all.filter { entry in !sharing.contains { $0.name == entry.name } } + buffering
}
