// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// One subscriber more among many, half of whom have values that wait for them.
@inline(never)
func joinReplay(subscribers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.shareReplay(capacity: 1)
  var cancellables: [AnyCancellable] = []
  for number in 0..<subscribers - 1 {
    if number.isMultiple(of: 2) {
      cancellables.append(shared.sink { tally.add($0) })
    } else {
      shared.subscribe(AnySubscriber(receiveSubscription: { cancellables.append(AnyCancellable($0.cancel)) }))
    }
  }
  for value in 0..<3 { subject.send(value) }
  let duration = ContinuousClock().measure {
    for _ in 0..<operations { opaque(shared.sink { tally.add($0) }).cancel() }
  }
  withExtendedLifetime(cancellables) {}
  return duration
}
