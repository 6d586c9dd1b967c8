// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let observation = [
  Workload("@Published, nobody subscribed", "observation") { published($0) },
  Workload("@Published, one subscriber", "observation") { publishedToSink($0) },
  Workload("@Published of an observed object", "observation") { observed($0) },
  Workload("@Published, String", "observation") { publishedStrings($0) },
  Workload("objectWillChange, one subscriber", "observation") { willChange($0) },
  Workload("assign(to: &)", "observation") { assigned($0) },
]

private final class Model: ObservableObject {
  @Published var number = 0
  @Published var text = ""
}

@inline(never)
private func published(_ count: Int) -> Int {
  let model = Model()
  var sum = 0
  for value in 0..<count {
    model.number = value
    sum &+= model.number
  }
  return sum
}

@inline(never)
private func publishedToSink(_ count: Int) -> Int {
  let tally = Tally()
  let model = Model()
  let cancellable = model.$number.sink { tally.add($0) }
  for value in 0..<count { model.number = value }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func observed(_ count: Int) -> Int {
  let tally = Tally()
  let model = Model()
  let cancellable = model.objectWillChange.sink { tally.add(1) }
  for value in 0..<count { model.number = value }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func publishedStrings(_ count: Int) -> Int {
  let tally = Tally()
  let model = Model()
  let cancellable = model.$text.sink { tally.add($0.utf8.count) }
  for word in Cycle(words, count: count) { model.text = word }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func willChange(_ count: Int) -> Int {
  let tally = Tally()
  let publisher = ObservableObjectPublisher()
  let cancellable = publisher.sink { tally.add(1) }
  for _ in 0..<count { publisher.send() }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func assigned(_ count: Int) -> Int {
  let model = Model()
  Elements(0..<count).assign(to: &model.$number)
  return model.number
}
