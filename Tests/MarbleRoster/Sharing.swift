// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let sharing: [OperatorPicture] = [
    .init(
      "share", "Upstream is subscribed to once. A second subscriber gets what comes from then on.",
      """
      source           -1-2-3-|
      source.demand    [^*]
      > share()
      expected.first   -1-2-3-|
      expected.second  --^2-3-|
      """
    ) { $0.numbers().share() },
    .init(
      "multicast", "Both subscribers share a subject. Upstream is subscribed to when connect() is called.",
      """
      source           1-2-3-4-|
      connect          ---▶-----
      > multicast { PassthroughSubject() }
      expected.first   ----3-4-|
      expected.second  -----^4-|
      """
    ) { bench in
      let shared = bench.numbers().multicast { PassthroughSubject() }
      return bench.connecting(shared)
    },
    .init(
      "multicast-subject", "Both subscribers subscribe to the subject, which gives them its current value at once.",
      """
      source           1-2-3-4-|
      connect          -▶-------
      > multicast(subject: CurrentValueSubject(0))
      expected.first   0-2-3-4-|
      expected.second  ---[^2]3-4-|
      """
    ) { bench in
      bench.connecting(bench.numbers().multicast(subject: CurrentValueSubject(0)))
    },
    .init(
      "make-connectable", "Upstream is subscribed to when connect() is called, so both subscribers get all of it.",
      """
      source           ---^-1-2-|
      connect          ---▶------
      > makeConnectable()
      expected.first   -----1-2-|
      expected.second  -^---1-2-|
      """
    ) { bench in
      bench.connecting(bench.steadyNumbers().makeConnectable())
    },
    .init(
      "autoconnect", "The first subscriber connects: upstream is subscribed to then, and once.",
      """
      source           --^-1-2-3-|
      > multicast(subject: subject).autoconnect()
      expected.first   --^-1-2-3-|
      expected.second  -----^2-3-|
      """
    ) { $0.numbers().multicast(subject: PassthroughSubject()).autoconnect() },
    .init(
      "buffer", "The buffer keeps two values that are not requested. When it is full, the oldest is dropped.",
      """
      source    a-b-c-d---e-|
      > buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
      demand    1-------*----
      expected  a-------[cd]-e-|
      """
    ) { $0.source().buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest) },
  ]

  static let observing: [OperatorPicture] = [
    .init(
      "print", "The values pass, and each event is written to the stream.",
      """
      source           --1---2---|
      > print(to: log)
      expected         --1---2---|
      expected.log     -^'receive value: (1)'---'receive value: (2)'---'receive finished'
      """
    ) { bench in
      let log = PassthroughSubject<String, Never>()
      bench.subscribe("log", to: log)
      return bench.numbers().print(to: Lines(of: log))
    },
    .init(
      "handle-events", "The values pass, and closures are called at each event.",
      """
      source           --1---2---|
      > handleEvents(receiveOutput: save, receiveCompletion: close)
      expected         --1---2---|
      expected.calls   --'save(1)'---'save(2)'---'close'
      """
    ) { bench in
      let calls = PassthroughSubject<String, Never>()
      bench.subscribe("calls", to: calls)
      return bench.numbers().handleEvents(
        receiveOutput: { calls.send("save(\($0))") }, receiveCompletion: { _ in calls.send("close") })
    },
  ]
}
