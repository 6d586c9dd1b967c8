// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

extension OperatorPicture {
  static let ownMapping: [OperatorPicture] = [
    .init(
      "pairwise", in: .operators,
      "Each value is published with the one before; the first one has none, and waits for the second.",
      """
      source    1---2---3---|
      > pairwise()
      expected  ----'1,2'---'2,3'---|
      """, values: { .shown { "\($0.0),\($0.1)" } }
    ) { $0.numbers().pairwise() },
    .init(
      "combine-previous", in: .operators, "Each value is published with the one before, the first one with 0.",
      """
      source    1---2---3---|
      > combinePrevious(0)
      expected  '0,1'---'1,2'---'2,3'---|
      """, values: { .shown { "\($0.0),\($0.1)" } }
    ) { $0.numbers().combinePrevious(0) },
    .init(
      "nwise", in: .operators, "Each value is published with the two before, as an array.",
      """
      source    1-2-3---4---|
      > nwise(3)
      expected  ----'[1, 2, 3]'---'[2, 3, 4]'---|
      """
    ) { $0.numbers().nwise(3) },
    .init(
      "chunked-by", in: .operators, "A new array begins where a value is not greater than the one before.",
      """
      source    1-2-3-2-4-1-|
      > chunked { $0 < $1 }
      expected  ------'[1, 2, 3]'---'[2, 4]'-['[1]'|]
      """
    ) { $0.numbers().chunked { $0 < $1 } },
    .init(
      "chunked-on", in: .operators, "A new array begins where the remainder changes.",
      """
      source    1-3-5-2-4-1-|
      > chunked { $0 % 2 }
      expected  ------'1: [1, 3, 5]'---'0: [2, 4]'-['1: [1]'|]
      """, values: { .shown { "\($0.0): \($0.1)" } }
    ) { $0.numbers().chunked { $0 % 2 } },
    .init(
      "collect-while", in: .operators, "An array ends with a letter that is a dot.",
      """
      source    a-b-.-c-.-d-|
      > collect { $0 != "." }
      expected  ----'[a, b, .]'---'[c, .]'---['[d]'|]
      """, values: { .shown { "[\($0.joined(separator: ", "))]" } }
    ) { $0.source().collect { $0 != "." } },
    .init(
      "enumerated", in: .operators, "Each value is published with its index, from 0.",
      """
      source    a---b---c---|
      > enumerated()
      expected  '0a'---'1b'---'2c'---|
      """, values: { .shown { "\($0.0)\($0.1)" } }
    ) { $0.source().enumerated() },
    .init(
      "scan-into", in: .operators,
      "For each letter, the set of all letters so far is published; it is updated in place.",
      """
      source    b---a---b---|
      > scan(into: []) { $0.insert($1) }
      expected  '{b}'---'{a,b}'---'{a,b}'---|
      """, values: { .shown { "{\($0.sorted().joined(separator: ","))}" } }
    ) { $0.source().scan(into: Set<String>()) { $0.insert($1) } },
    .init(
      "map-many", in: .operators, "Each element of each array becomes ten times that number.",
      """
      source    --'[1, 2]'----'[3]'---|
      > mapMany { $0 * 10 }
      expected  --'[10, 20]'----'[30]'---|
      """
    ) { $0.lists().mapMany { $0 * 10 } },
    .init(
      "map-to-value", in: .operators, "Every value becomes the same value.",
      """
      source    a-b-c-|
      > mapToValue(1)
      expected  1-1-1-|
      """
    ) { $0.source().mapToValue(1) },
    .init(
      "try-map-skipping", in: .operators, "The closure throws for 5, which is left out; the stream continues.",
      """
      source    6-8-5-2-|
      > tryMap(skippingFailures: { error, value in log(error) })
      >   { try half($0) }
      expected  3-4---1-|
      """
    ) { $0.numbers().tryMap(skippingFailures: { _, _ in }) { try half($0) } },
    .init(
      "map-to-void", in: .operators, "Every value becomes an empty value: that something has come is left.",
      """
      source    a-b-c-|
      > mapToVoid()
      expected  '()'-'()'-'()'-|
      """
    ) { $0.source().mapToVoid() },
    .init(
      "toggle", in: .operators, "Each truth value becomes its opposite.",
      """
      source    'true'--'false'--'true'--|
      > toggle()
      expected  'false'--'true'--'false'--|
      """
    ) { $0.truths().toggle() },
    .init(
      "not", in: .operators, "Each truth value becomes its opposite.",
      """
      source    'true'--'false'--'true'--|
      > not()
      expected  'false'--'true'--'false'--|
      """
    ) { $0.truths().not() },
    .init(
      "intersperse", in: .operators, "A separator is published between any two values.",
      """
      source    a--b--c--|
      > intersperse("+")
      expected  a--[+b]--[+c]--|
      """
    ) { $0.source().intersperse("+") },
    .init(
      "set-output-type", in: .operators,
      "A publisher without values gets an output type, so the values of another publisher can follow it.",
      """
      source    ----|
      other     ----^-1-2-|
      > setOutputType(to: Int.self)
      >   .append(other)
      expected  ------1-2-|
      """
    ) {
      $0.source(values: MarbleValues<Never> { _ in nil }).setOutputType(to: Int.self).append($0.numbers("other"))
    },
  ]

  static let ownFiltering: [OperatorPicture] = [
    .init(
      "unwrap", in: .operators, "The numbers pass; nil is left out.",
      """
      source    1-'nil'-3-|
      > unwrap()
      expected  1---3-|
      """
    ) { $0.optionals().unwrap() },
    .init(
      "filter-many", in: .operators, "Of each array, the even elements are published.",
      """
      source    --'[1, 2]'----'[4, 5, 6]'---|
      > filterMany { $0.isMultiple(of: 2) }
      expected  --'[2]'----'[4, 6]'---|
      """
    ) { $0.lists().filterMany { $0.isMultiple(of: 2) } },
    .init(
      "remove-all-duplicates", in: .operators, "A value passes the first time, and never again.",
      """
      source    a-b-a-c-b-|
      > removeAllDuplicates()
      expected  a-b---c---|
      """
    ) { $0.source().removeAllDuplicates() },
    .init(
      "remove-all-duplicates-by", in: .operators, "A letter that has come before, whatever its case, is left out.",
      """
      source    a-B-A-c-b-|
      > removeAllDuplicates { $0.lowercased() == $1.lowercased() }
      expected  a-B---c---|
      """
    ) { $0.source().removeAllDuplicates { $0.lowercased() == $1.lowercased() } },
    .init(
      "partition", in: .operators,
      "Of the two publishers, one has the values that satisfy the condition, the other one the rest.",
      """
      source              1-2-3-4-|
      > partition { $0.isMultiple(of: 2) }
      expected.matches    --2---4-|
      expected.nonMatches 1---3---|
      """
    ) { bench in
      let (even, odd) = bench.numbers().partition { $0.isMultiple(of: 2) }
      bench.subscribe("nonMatches", to: odd)
      return even
    },
    .init(
      "take-last", in: .operators, "The last two values are published when upstream finishes.",
      """
      source    1-2-3-4---|
      > takeLast(2)
      expected  ----------[34|]
      """
    ) { $0.numbers().takeLast(2) },
    .init(
      "drop-last", in: .operators, "Each value is published when two more have come. The last two are left out.",
      """
      source    1-2-3-4---|
      > dropLast(2)
      expected  ----1-2---|
      """
    ) { $0.numbers().dropLast(2) },
    .init(
      "drop-duration", in: .operators, "Values are left out for 500 milliseconds. The later ones pass.",
      """
      step 100ms
      source    a-b-c--d-e-|
      > drop(duration: .milliseconds(500), on: scheduler)
      expected  -------d-e-|
      """
    ) { $0.source().drop(duration: .milliseconds(500), on: $0.scheduler) },
    .init(
      "compact-map-as", in: .operators, "The numbers pass as integers; other values are left out.",
      """
      source    1-a-3-|
      > compactMap(as: Int.self)
      expected  1---3-|
      """
    ) { $0.source().map { Int($0) ?? $0 as any Sendable }.compactMap(as: Int.self) },
    .init(
      "prefix-while-behavior", in: .operators,
      "Values pass up to the first that is not below 10, and that one too. Then upstream is cancelled.",
      """
      source    1-5-['20'!]-2-|
      > prefix(while: { $0 < 10 }, behavior: .inclusive)
      expected  1-5-['20'|]
      """
    ) { $0.numbers().prefix(while: { $0 < 10 }, behavior: .inclusive) },
    .init(
      "prefix-duration", in: .operators, "Values pass for 500 milliseconds. Then upstream is cancelled.",
      """
      step 100ms
      source    a-b-c!-d-e-|
      > prefix(duration: .milliseconds(500), on: scheduler)
      expected  a-b-c|
      """
    ) { $0.source().prefix(duration: .milliseconds(500), on: $0.scheduler) },
    .init(
      "ignore-output-type", in: .operators,
      "No value passes. The output has the type of another publisher, so that one can follow.",
      """
      source    1-2-|
      other     ----^-a-b-|
      > ignoreOutput(setOutputType: String.self)
      >   .append(other)
      expected  ------a-b-|
      """
    ) { $0.numbers().ignoreOutput(setOutputType: String.self).append($0.source("other")) },
  ]
}

extension MarbleBench {
  /// A source of arrays of numbers, written as in Swift.
  func lists() -> MarbleSource<[Int], MarbleFailure> {
    source(values: MarbleValues { text in text.split { !$0.isNumber }.compactMap { Int($0) } })
  }

  /// A source of truth values.
  func truths(_ name: String = "source") -> MarbleSource<Bool, MarbleFailure> {
    source(name, values: MarbleValues { Bool($0) })
  }
}
