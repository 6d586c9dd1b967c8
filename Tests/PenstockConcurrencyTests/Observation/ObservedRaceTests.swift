// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Observation
import PenstockConcurrency
import TestSupport
import Testing

/// Changes on another thread between a reading and the beginning of its observation.
///
/// The standard library's `Observations` missed both until SE-0506. Here the closure itself lets the other thread work
/// after it has read, and waits for it, so that the result does not depend on luck.
@Suite @MainActor struct ObservedRaceTests {
  /// An object that any thread may change: the value is behind a lock.
  private final class Gauge: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Locked(0)

    var level: Int {
      get {
        registrar.access(self, keyPath: \.level)
        return stored.value
      }
      set {
        registrar.withMutation(of: self, keyPath: \.level) { stored.change { $0 = newValue } }
      }
    }
  }

  @Test func `A change that another thread makes after the reading, and before it is observed, is delivered`() async {
    let gauge = Gauge()
    var isFirst = true
    var levels: [Int] = []
    let cancellable = Publishers.Observed(isolation: #isolation) {
      let level = gauge.level
      if isFirst {
        isFirst = false
        elsewhere { gauge.level = 1 }
      }
      return level
    }.sink { levels.append($0) }
    #expect(await settled(within: .seconds(300)) { levels.last == 1 })
    cancellable.cancel()
  }

  @Test func `A change that another thread makes after a later reading is delivered, too`() async {
    let gauge = Gauge()
    var previous = 0
    var levels: [Int] = []
    let cancellable = Publishers.Observed(isolation: #isolation) {
      let level = gauge.level
      if level != previous, level < 5 {
        previous = level
        elsewhere { gauge.level = level + 1 }
      }
      return level
    }.sink { level in
      levels.append(level)
      if level == 0 { gauge.level = 1 }
    }
    #expect(await settled(within: .seconds(300)) { levels.last == 5 })
    cancellable.cancel()
  }

  @Test func `An object that another thread frees after the reading, and before it is observed, is seen to be gone`()
    async
  {
    let owner = Locked<Gauge?>(Gauge())
    var isFirst = true
    var levels: [Int?] = []
    let cancellable = Publishers.Observed(isolation: #isolation) { [weak gauge = owner.value] in
      let level = gauge?.level
      if isFirst {
        isFirst = false
        elsewhere { owner.change { $0 = nil } }
      }
      return level
    }.sink { levels.append($0) }
    #expect(await settled(within: .seconds(300)) { levels.last == .some(nil) })
    cancellable.cancel()
  }
}
