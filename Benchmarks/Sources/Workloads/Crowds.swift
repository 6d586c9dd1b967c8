// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Operations on a subject that has many subscribers.
public func crowds() -> [Crowd] {
  [
    Crowd("send, for each subscriber", reachesAll: true) { send(subscribers: $0, operations: $1) },
    Crowd("attach one and cancel it", reachesAll: false) { attachAndCancel(subscribers: $0, operations: $1) },
    Crowd("attach one and cancel the oldest", reachesAll: false) { rotate(subscribers: $0, operations: $1) },
  ]
}

@inline(never)
private func send(subscribers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellables = (0..<subscribers).map { _ in subject.sink { tally.add($0) } }
  let duration = ContinuousClock().measure {
    for value in 0..<operations { subject.send(value) }
  }
  withExtendedLifetime(cancellables) {}
  return duration
}

@inline(never)
private func attachAndCancel(subscribers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellables = (0..<subscribers - 1).map { _ in subject.sink { tally.add($0) } }
  let duration = ContinuousClock().measure {
    for _ in 0..<operations { opaque(subject.sink { tally.add($0) }).cancel() }
  }
  withExtendedLifetime(cancellables) {}
  return duration
}

@inline(never)
private func rotate(subscribers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  var cancellables = (0..<subscribers).map { _ in subject.sink { tally.add($0) } }
  var oldest = 0
  let duration = ContinuousClock().measure {
    for _ in 0..<operations {
      let newest = subject.sink { tally.add($0) }
      cancellables[oldest].cancel()
      cancellables[oldest] = newest
      oldest += 1
      if oldest == subscribers { oldest = 0 }
    }
  }
  withExtendedLifetime(cancellables) {}
  return duration
}
