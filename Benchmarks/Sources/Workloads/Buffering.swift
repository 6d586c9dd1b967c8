// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let buffering = [
  Workload("buffer, keepFull", "buffering") { keepFullInts($0) },
  Workload("buffer, keepFull, String", "buffering") { keepFullStrings($0) },
  Workload("buffer, byRequest", "buffering") { byRequestInts($0) },
  Workload("buffer, byRequest, String", "buffering") { byRequestStrings($0) },
  Workload("buffer, full and emptied", "buffering") { fillAndEmpty($0) },
]

@inline(never)
private func keepFullInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest).sink {
    tally.add($0)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func keepFullStrings(_ count: Int) -> Int {
  let tally = Tally()
  let source = Elements(Cycle(words, count: count))
  let cancellable = source.buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest).sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func byRequestInts(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink { tally.add($0) }
  for number in 0..<count { subject.send(number) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func byRequestStrings(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<String, Never>()
  let cancellable = subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink {
    tally.add($0.utf8.count)
  }
  for word in Cycle(words, count: count) { subject.send(word) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// Every value passes the queue: sixteen arrive, and then sixteen are requested.
@inline(never)
private func fillAndEmpty(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  var subscription: (any Subscription)?
  let subscriber = AnySubscriber<Int, Never>(
    receiveSubscription: { subscription = $0 },
    receiveValue: { value in
      tally.add(value)
      return .none
    })
  subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
  for round in 0..<count / 16 {
    for number in 0..<16 { subject.send(round &+ number) }
    subscription?.request(.max(16))
  }
  subscription?.cancel()
  return tally.sum
}
