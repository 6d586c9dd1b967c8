// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber, as source text.
///
/// `{}` is the publisher, `n` the number of the attachment, `w` the world and `#F` the failure.
struct DifferEnd: Sendable {
  let name: String
  let text: String
  var needsNever = false
  /// Whether it has a plan of its demand.
  var hasPlan = false
  var weight = 2

  func accepts(_ failure: DifferOperator.Failure) -> Bool { !needsNever || failure == .never }

  static let all: [DifferEnd] = [
    .init(
      name: "sink",
      text: "w.keep(n, {}.sink(receiveCompletion: { w.end(n, $0) }, receiveValue: { (v: Int) in w.value(n, v) }))",
      weight: 10),
    .init(name: "sink, values", text: "w.keep(n, {}.sink { (v: Int) in w.value(n, v) })", needsNever: true, weight: 4),
    .init(
      name: "sink, captured",
      text: """
        let t = w.tracer(n)
        w.keep(n, {}.sink(receiveCompletion: { [t] in t.end($0) }, receiveValue: { [t] (v: Int) in t.value(v) }))
        """, weight: 5),
    .init(
      name: "sink, weak",
      text: """
        let vm = w.owner(n)
        vm.keep({}.sink(receiveCompletion: { [weak vm] in vm?.end($0) }, receiveValue: { [weak vm] (v: Int) in vm?.value(v) }))
        """, weight: 4),
    .init(
      name: "sink, unowned",
      text: """
        let vm = w.owner(n)
        vm.keep({}.sink(receiveCompletion: { [unowned vm] in vm.end($0) }, receiveValue: { [unowned vm] (v: Int) in vm.value(v) }))
        """, weight: 4),
    .init(
      name: "assign(to:on:)", text: "w.keep(n, {}.assign(to: \\.value, on: w.label(n)))", needsNever: true, weight: 5),
    .init(
      name: "assign(to:)",
      text: """
        w.watch(n)
        {}.assign(to: &w.m.$z)
        """, needsNever: true, weight: 3),
    .init(name: "subscribe(subject)", text: "w.keep(n, {}.subscribe(w.output(n, (#F).self)))", weight: 4),
    .init(
      name: "Subscribers.Sink",
      text: """
        let k = Subscribers.Sink<Int, #F>(receiveCompletion: { w.end(n, $0) }, receiveValue: { (v: Int) in w.value(n, v) })
        w.keep(n, AnyCancellable(k))
        {}.subscribe(k)
        """, weight: 3),
    .init(name: "AnySubscriber", text: "{}.subscribe(w.erased(n, (#F).self))", hasPlan: true, weight: 2),
    .init(name: "own subscriber", text: "{}.subscribe(Planned<#F>(w, n))", hasPlan: true, weight: 6),
  ]
  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> DifferEnd {
    guard let row = byName[name] else { fatalError("there is no subscriber \(name)") }
    return row
  }
}
