// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

private class Base: NSObject {
  @Published var inherited = 0
}

private final class Model: Base, ObservableObject {
  @Published var own = 0
}

private final class Plain: NSObject, ObservableObject {}

private final class Step: Operation, ObservableObject, @unchecked Sendable {
  @Published var progress = 0.0
}

/// Observable objects that descend from Foundation's.
@Suite struct ObservableObjectTests {
  @Test func `Properties of an object that descends from NSObject tell, inherited ones as well`() {
    let model = Model()
    #expect(model.objectWillChange === model.objectWillChange)
    #expect(changes(of: model) { model.own = 1 } == 1)
    #expect(changes(of: model) { model.inherited = 1 } == 1)
    let step = Step()
    #expect(changes(of: step) { step.progress = 0.5 } == 1)
  }

  @Test func `One without published properties has the same publisher each time`() {
    let plain = Plain()
    #expect(plain.objectWillChange === plain.objectWillChange)
    #expect(changes(of: plain) { plain.objectWillChange.send() } == 1)
  }

  @Test func `Nothing is left of it`() {
    var graveyard = Graveyard()
    do {
      let model = graveyard.watch(Model(), "model")
      let canary = graveyard.watch(Canary(), "closure")
      let cancellable = model.objectWillChange.sink { withExtendedLifetime(canary) {} }
      model.own = 1
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
