// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DifferOperator {
  static let mapping: [DifferOperator] = [
    .init("map", ".map { (v: Int) -> Int in w.at(#s, v); return v &+ #n }", 0...9, isEager: true, weight: 14),
    .init("map, key path", ".map(\\.plusOne)", isEager: true),
    .init(
      "map, then others",
      ".map { (v: Int) -> Int in w.at(#s, v); return v &+ 1 }.filter { (v: Int) -> Bool in w.at(#t, v); return v % #n != 0 }.map { (v: Int) -> Int in w.at(#u, v); return v }",
      2...5, isEager: true, weight: 4),
    .init(
      "tryMap", ".tryMap { (v: Int) throws -> Int in w.at(#s, v); if v % 11 == #n { throw E() }; return v }", 0...10,
      gives: .any, isEager: true, weight: 4),
    .init(
      "mapError", ".mapError { (e: #F) -> E in w.at(#s, -1); return (e as? E) ?? E() }", takes: .failing, gives: .fault,
      isEager: true, weight: 5),
    .init(
      "replaceNil",
      ".map { (v: Int) -> Int? in w.at(#s, v); return v % 2 == 0 ? nil : v }§.replaceNil(with: #n)", 0...9,
      isEager: true),
    .init(
      "scan", ".scan(#n) { (a: Int, v: Int) -> Int in w.at(#s, v); return a &+ v }", 0...9, isEager: true, weight: 4),
    .init(
      "tryScan",
      ".tryScan(1) { (a: Int, v: Int) throws -> Int in w.at(#s, v); if v % 11 == #n { throw E() }; return a &+ v }",
      0...10,
      gives: .any, isEager: true),
    .init("setFailureType", ".setFailureType(to: E.self)", takes: .never, gives: .fault, isEager: true),
    .init("assertNoFailure", ".assertNoFailure()", takes: .never, gives: .never),
    .init(
      "handleEvents",
      ".handleEvents(receiveSubscription: { (_) in w.at(#s, 1) }, receiveOutput: { (v: Int) in w.at(#t, v) }, receiveCompletion: { (_) in w.at(#u, 2) }, receiveCancel: { w.at(#v, 3) })",
      weight: 4),
    .init("handleEvents, output", ".handleEvents(receiveOutput: { (v: Int) in w.at(#s, v) })", weight: 4),
    .init("handleEvents, cancel", ".handleEvents(receiveCancel: { w.at(#s, 3) })", weight: 3),
    .init(
      "breakpoint",
      ".breakpoint(receiveSubscription: { (_) -> Bool in w.at(#s, 1); return false }, receiveOutput: { (v: Int) -> Bool in w.at(#t, v); return false }, receiveCompletion: { (_) -> Bool in w.at(#u, 2); return false })"
    ),
    .init("print", ".print(\"\", to: w.stream(#s))"),
  ]

  static let filtering: [DifferOperator] = [
    .init("filter", ".filter { (v: Int) -> Bool in w.at(#s, v); return v % #n != 0 }", 2...5, isEager: true, weight: 8),
    .init(
      "compactMap", ".compactMap { (v: Int) -> Int? in w.at(#s, v); return v % #n == 0 ? nil : v }", 2...5,
      isEager: true, weight: 5),
    .init(
      "tryFilter",
      ".tryFilter { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return true }", 0...10,
      gives: .any),
    .init(
      "tryCompactMap",
      ".tryCompactMap { (v: Int) throws -> Int? in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 3 == 0 ? nil : v }",
      0...10, gives: .any),
    .init("removeDuplicates", ".removeDuplicates()", isEager: true, weight: 3),
    .init(
      "removeDuplicates(by:)",
      ".removeDuplicates { (a: Int, b: Int) -> Bool in w.at(#s, b); return a / #n == b / #n }", 1...3, isEager: true,
      weight: 3),
    .init(
      "tryRemoveDuplicates",
      ".tryRemoveDuplicates { (a: Int, b: Int) throws -> Bool in w.at(#s, b); if b % 11 == #n { throw E() }; return a == b }",
      0...10, gives: .any, isEager: true),
    .init("prefix", ".prefix(#n)", 0...3, isEager: true, weight: 4),
    .init(
      "prefix(while:)", ".prefix { (v: Int) -> Bool in w.at(#s, v); return v % 7 != #n }", 0...6, isEager: true,
      weight: 3),
    .init(
      "tryPrefix(while:)",
      ".tryPrefix { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 7 != 3 }", 0...10,
      gives: .any),
    .init("dropFirst", ".dropFirst(#n)", 0...2, isEager: true, weight: 3),
    .init("drop(while:)", ".drop { (v: Int) -> Bool in w.at(#s, v); return v % 3 == #n }", 0...2, isEager: true),
    .init(
      "tryDrop(while:)",
      ".tryDrop { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 3 == 0 }", 0...10,
      gives: .any),
    .init("first", ".first()", isEager: true, weight: 3),
    .init(
      "first(where:)", ".first { (v: Int) -> Bool in w.at(#s, v); return v % 3 == #n }", 0...2, isEager: true,
      weight: 3),
    .init(
      "tryFirst(where:)",
      ".tryFirst { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 3 == 0 }", 0...10,
      gives: .any),
    .init("output(at:)", ".output(at: #n)", 0...3, isEager: true),
    .init("output(in:)", ".output(in: #n..<(#n + 2))", 0...2, isEager: true),
    .init("prefix(untilOutputFrom:)", ".prefix(untilOutputFrom: {1})", children: [.anything], weight: 3),
    .init("drop(untilOutputFrom:)", ".drop(untilOutputFrom: {1})", children: [.same], weight: 3),
  ]

  static let reducing: [DifferOperator] = [
    .init("last", ".last()", isEager: true),
    .init("last(where:)", ".last { (v: Int) -> Bool in w.at(#s, v); return v % 3 == #n }", 0...2, isEager: true),
    .init(
      "tryLast(where:)",
      ".tryLast { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 3 == 0 }", 0...10,
      gives: .any),
    .init("count", ".count()", isEager: true),
    .init("min", ".min()", isEager: true),
    .init("max(by:)", ".max { (a: Int, b: Int) -> Bool in w.at(#s, b); return a < b }", isEager: true),
    .init("reduce", ".reduce(#n) { (a: Int, v: Int) -> Int in w.at(#s, v); return a &+ v }", 0...9, isEager: true),
    .init(
      "tryReduce",
      ".tryReduce(1) { (a: Int, v: Int) throws -> Int in w.at(#s, v); if v % 11 == #n { throw E() }; return a &+ v }",
      0...10, gives: .any, isEager: true),
    .init("collect", ".collect()§.map { (l: [Int]) -> Int in joined(l) }", isEager: true),
    .init("collect(n)", ".collect(#n)§.map { (l: [Int]) -> Int in joined(l) }", 1...3, weight: 3),
    .init("ignoreOutput", ".ignoreOutput()§.setOutputType(to: Int.self)", isEager: true),
    .init("contains", ".contains(#n)§.map { (b: Bool) -> Int in b ? 1 : 0 }", 0...9, isEager: true),
    .init(
      "contains(where:)",
      ".contains { (v: Int) -> Bool in w.at(#s, v); return v % 4 == #n }§.map { (b: Bool) -> Int in b ? 1 : 0 }", 0...3,
      isEager: true),
    .init(
      "tryContains(where:)",
      ".tryContains { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 4 == 0 }§.map { (b: Bool) -> Int in b ? 1 : 0 }",
      0...10, gives: .any, isEager: true),
    .init(
      "allSatisfy",
      ".allSatisfy { (v: Int) -> Bool in w.at(#s, v); return v % 4 != #n }§.map { (b: Bool) -> Int in b ? 1 : 0 }",
      0...3,
      isEager: true),
  ]

  /// Operators that replace an end, or follow it.
  static let endings: [DifferOperator] = [
    .init("replaceEmpty", ".replaceEmpty(with: #n)", 0...9, isEager: true),
    .init("replaceError", ".replaceError(with: #n)", 0...9, takes: .failing, gives: .never, isEager: true, weight: 3),
    .init("catch", ".catch { (e: #F) in w.at(#s, -1, {1}) }", takes: .failing, children: [.giving], weight: 4),
    .init(
      "tryCatch", ".tryCatch { (e: #F) throws in w.at(#s, -1, {1}) }", takes: .failing, gives: .any,
      children: [.anything]),
    .init("retry", ".retry(#n)", 0...2, isEager: true, weight: 3),
    .init("append", ".append({1})", children: [.same], weight: 4),
    .init("append values", ".append(#n, 8)", 0...9, isEager: true, weight: 2),
    .init("prepend", ".prepend({1})", children: [.same], weight: 4),
    .init("prepend values", ".prepend(#n, 8)", 0...9, isEager: true, weight: 2),
  ]
}
