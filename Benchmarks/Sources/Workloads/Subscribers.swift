// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let subscribers = [
  Workload("AnySubscriber, one at a time", "subscribers") { anySubscriber($0) },
  Workload("assign", "subscribers") { assign($0) },
  Workload("subscribe(subject)", "subscribers") { subscribeSubject($0) },
]

@inline(never)
private func anySubscriber(_ count: Int) -> Int {
  let tally = Tally()
  let subscriber = AnySubscriber<Int, Never>(
    receiveSubscription: { $0.request(.max(1)) },
    receiveValue: {
      tally.add($0)
      return .max(1)
    })
  Elements(0..<count).subscribe(subscriber)
  return tally.sum
}

@inline(never)
private func assign(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).assign(to: \.sum, on: tally)
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func subscribeSubject(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.sink { tally.add($0) }
  let feeding = Elements(0..<count).subscribe(subject)
  return withExtendedLifetime((cancellable, feeding)) { tally.sum }
}
