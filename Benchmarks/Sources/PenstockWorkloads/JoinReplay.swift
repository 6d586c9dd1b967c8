// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Subscribes once more to a source with many subscribers, half of which have waiting values.
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
