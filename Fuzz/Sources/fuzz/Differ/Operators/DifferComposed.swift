// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DifferOperator {
  /// Operators that are made of others, and have no machinery of their own.
  static let composed: [DifferOperator] = [
    .init("makeConnectable", ".makeConnectable().autoconnect()", takes: .never),
    .init("unwrap", ".map { (v: Int) -> Int? in w.at(#s, v); return v % 2 == 0 ? nil : v }§.unwrap()"),
    .init("mapToValue", ".mapToValue(#n)", 0...9),
    .init("mapToVoid", ".mapToVoid()§.map { (_: Void) -> Int in w.at(#s, 0); return 1 }"),
    .init(
      "mapMany",
      ".map { (v: Int) -> [Int] in [v, v &+ 1] }§.mapMany { (v: Int) -> Int in w.at(#s, v); return v }"
        + "§.map { (l: [Int]) -> Int in joined(l) }"),
    .init(
      "filterMany",
      ".map { (v: Int) -> [Int] in [v, v &+ 1] }§.filterMany { (v: Int) -> Bool in w.at(#s, v); return v % 2 == #n }"
        + "§.map { (l: [Int]) -> Int in joined(l) }", 0...1),
    .init("toggle", ".map { (v: Int) -> Bool in v % 2 == 0 }§.toggle()§.map { (b: Bool) -> Int in b ? 1 : 0 }"),
    .init("not", ".map { (v: Int) -> Bool in v % 2 == 0 }§.not()§.map { (b: Bool) -> Int in b ? 1 : 0 }"),
    .init(
      "and",
      ".map { (v: Int) -> Bool in w.at(#s, v); return v % 2 == 0 }§.and({1}.map { (v: Int) -> Bool in v % 2 == 0 })"
        + "§.map { (b: Bool) -> Int in b ? 1 : 0 }", children: [.same]),
    .init(
      "or",
      ".map { (v: Int) -> Bool in w.at(#s, v); return v % 2 == 0 }§.or({1}.map { (v: Int) -> Bool in v % 2 == 0 })"
        + "§.map { (b: Bool) -> Int in b ? 1 : 0 }", children: [.same]),
    .init("andThen", ".andThen({1})", children: [.same]),
    .init("apply", ".apply { $0.map { (v: Int) -> Int in w.at(#s, v); return v &+ #n } }", 0...9, isEager: true),
    .init(
      "partition", ".partition { (v: Int) -> Bool in w.at(#s, v); return v % 2 == #n }.nonMatches", 0...1),
    .init(
      "withUnretained", ".withUnretained(w)§.map { (p: (World, Int)) -> Int in w.at(#s, p.1); return p.1 }"),
    .init("combinePrevious", ".combinePrevious(#n)§.map { (p: (Int, Int)) -> Int in p.0 &* 1000 &+ p.1 }", 0...9),
    .init("values of events", ".materialize()§.values()", gives: .never),
    .init(
      "failures of events", ".materialize()§.failures()§.map { (_: E) -> Int in w.at(#s, 0); return 1 }", takes: .fault,
      gives: .never),
    .init(
      "tryMax",
      ".tryMax { (a: Int, b: Int) throws -> Bool in w.at(#s, b); if b % 11 == #n { throw E() }; return a < b }",
      0...10, gives: .any, isEager: true),
    .init(
      "tryMin",
      ".tryMin { (a: Int, b: Int) throws -> Bool in w.at(#s, b); if b % 11 == #n { throw E() }; return a < b }",
      0...10, gives: .any, isEager: true),
    .init(
      "tryAllSatisfy",
      ".tryAllSatisfy { (v: Int) throws -> Bool in w.at(#s, v); if v % 11 == #n { throw E() }; return v % 7 != 3 }"
        + "§.map { (b: Bool) -> Int in b ? 1 : 0 }", 0...10, gives: .any, isEager: true),
  ]
}
