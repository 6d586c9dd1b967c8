// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import Testing

/// A replay whose upstream delivers while an operator with several upstreams subscribes.
@Suite struct ReplayInFanInTests {
  @Test func `merge gets all values of a replay before the value of the next upstream`() {
    var values: [Int] = []
    let cancellable = [1, 2, 3].publisher.shareReplay(capacity: 1).merge(with: Just(9)).sink { values.append($0) }
    #expect(values == [1, 2, 3, 9])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `combineLatest gets what the replay is when it requests`() {
    var values: [String] = []
    let replay = [1, 2, 3].publisher.append(Empty(completeImmediately: false)).shareReplay(capacity: 1)
    let cancellable = CurrentValueSubject<Int, Never>(100).combineLatest(replay).sink { values.append("\($0)") }
    #expect(values.first == "(100, 1)" || values.first == "(100, 3)")
    #expect(values.last == "(100, 3)")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A replay subject that is sent into while a zip subscribes delivers in order`() {
    let replay = ReplaySubject<Int, Never>(capacity: 5)
    replay.send(1)
    var values: [String] = []
    let cancellable = replay.zip(
      Deferred { () -> Publishers.Sequence<[Int], Never> in
        replay.send(2)
        return [10, 20, 30].publisher
      }
    ).sink { values.append("\($0)") }
    replay.send(3)
    #expect(values == ["(1, 10)", "(2, 20)", "(3, 30)"])
    withExtendedLifetime(cancellable) {}
  }
}
