// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

private class PlainBase {
  @Published var inherited = 0
}

private class MiddleOf<Value>: PlainBase {
  @Published var generic: [Value] = []
}

private final class Leaf: MiddleOf<String>, ObservableObject {
  @Published var own = 0
  var silent = 0
}

private class ObservableBase: ObservableObject {
  @Published var base = 0
}

private final class ObservableLeaf: ObservableBase {
  @Published var leaf = 0
}

private final class Direct: ObservableObject {
  let wrapper = Published(initialValue: 1)
}

private final class Bare: ObservableObject {}

private final class GenericBare<Value>: ObservableObject {}

private final class Custom: ObservableObject {
  let objectWillChange = PassthroughSubject<Int, Never>()
  @Published var level = 0
}

private final class OwnPublisher: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()
  @Published var level = 0
}

private final class Hiding: ObservableObject, CustomReflectable {
  @Published var hidden = 0
  @Published var shown = 0
  var customMirror: Mirror { Mirror(self, children: ["shown": _shown]) }
}

private final class Renewed: ObservableObject {
  @Published var first = 0
  @Published var second = 0

  func renewFirst() { _first = Published(initialValue: 7) }
  func renewSecond() { _second = Published(initialValue: 7) }
}

private final class LooksAtTheEnd: ObservableObject {
  @Published var level = 0
  let report: (ObservableObjectPublisher, Bool) -> Void

  init(_ report: @escaping (ObservableObjectPublisher, Bool) -> Void) { self.report = report }

  deinit {
    let publisher = objectWillChange
    var isTold = false
    let cancellable = publisher.sink { isTold = true }
    level = 1
    cancellable.cancel()
    report(publisher, isTold)
  }
}

@Suite struct ObservableObjectTests {
  @Test func `Published properties of all superclasses tell, whether those are observable, generic or neither`() {
    let leaf = Leaf()
    #expect(changes(of: leaf) { leaf.own = 1 } == 1)
    #expect(changes(of: leaf) { leaf.generic.append("a") } == 1)
    #expect(changes(of: leaf) { leaf.inherited = 1 } == 1)
    #expect(changes(of: leaf) { leaf.silent = 1 } == 0)
  }

  @Test func `Properties of a subclass tell the publisher that the base class has`() {
    let leaf = ObservableLeaf()
    let base: ObservableBase = leaf
    #expect(base.objectWillChange === leaf.objectWillChange)
    #expect(changes(of: base) { leaf.leaf = 1 } == 1)
    #expect(changes(of: leaf) { base.base = 1 } == 1)
  }

  @Test func `It is the same publisher each time, and another for another object`() {
    let (first, second) = (Gauge(), Gauge())
    #expect(first.objectWillChange === first.objectWillChange)
    #expect(first.objectWillChange !== second.objectWillChange)
    #expect(changes(of: first) { second.level = 1 } == 0)
  }

  @Test func `It may be asked for long after the properties were used`() {
    let gauge = Gauge()
    gauge.level = 1
    let cancellable = gauge.$level.sink { _ in }
    #expect(changes(of: gauge) { gauge.level = 2 } == 1)
    #expect(changes(of: gauge) { gauge.marks = [2] } == 1)
    cancellable.cancel()
  }

  @Test func `A wrapper that is stored by hand counts as a published property`() {
    let direct = Direct()
    #expect(direct.objectWillChange === direct.objectWillChange)
    #expect(changes(of: direct) { [2].publisher.assign(to: &direct.wrapper.projectedValue) } == 1)
  }

  @Test func `A class without published properties has the same publisher each time`() {
    let bares = (0..<100).map { _ in Bare() }
    let publishers = bares.map(\.objectWillChange)
    #expect(Set(publishers.map(ObjectIdentifier.init)).count == 100)
    #expect(zip(bares, publishers).allSatisfy { $0.objectWillChange === $1 })
    let generic = GenericBare<Int>()
    #expect(changes(of: generic) { generic.objectWillChange.send() } == 1)
  }

  /// In a process of its own: a call that makes the table grow retains all of its objects for a moment.
  @Test func `Subscribers of an object without published properties are freed with the table's entry`() async {
    await #expect(processExitsWith: .success) {
      var graveyard = Graveyard()
      do {
        let bare = graveyard.watch(Bare())
        let cancellable = bare.objectWillChange.sink { [canary = graveyard.watch(Canary())] in
          withExtendedLifetime(canary) {}
        }
        cancellable.cancel()
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A class that declares its own publisher is not told by its properties`() {
    let custom = Custom()
    #expect(changes(of: custom) { custom.level = 1 } == 0)
    #expect(changes(of: custom) { custom.objectWillChange.send(1) } == 1)
    let own = OwnPublisher()
    #expect(changes(of: own) { own.level = 1 } == 0)
    #expect(changes(of: own) { own.objectWillChange.send() } == 1)
  }

  @Test(arguments: [0, 1, 2])
  func `A property that has been made anew tells as soon as somebody asks for the publisher`(_ which: Int) {
    let renewed = Renewed()
    let publisher = renewed.objectWillChange
    if which != 1 { renewed.renewFirst() }
    if which != 0 { renewed.renewSecond() }
    // After both properties have been replaced, nothing in the object references the old publisher.
    if which != 2 { #expect(renewed.objectWillChange === publisher) }
    #expect(renewed.objectWillChange === renewed.objectWillChange)
    #expect(changes(of: renewed) { renewed.first = 1 } == 1)
    #expect(changes(of: renewed) { renewed.second = 1 } == 1)
  }

  @Test(arguments: [false, true])
  func `An object may be asked for its publisher while it is being freed`(_ wasAsked: Bool) {
    var publisher: ObservableObjectPublisher?
    var isTold = false
    var graveyard = Graveyard()
    do {
      let object = graveyard.watch(LooksAtTheEnd { (publisher, isTold) = ($0, $1) })
      if wasAsked { _ = object.objectWillChange }
    }
    #expect(isTold)
    #expect(publisher != nil)
    #expect(graveyard.survivors.isEmpty)
    // Another object may be allocated at the same address.
    let gauge = Gauge()
    #expect(changes(of: gauge) { gauge.level = 1 } == 1)
  }

  @Test func `Published properties that a class leaves out of its mirror tell as well`() {
    let (hiding, other) = (Hiding(), Hiding())
    #expect(hiding.objectWillChange === hiding.objectWillChange)
    #expect(changes(of: hiding) { hiding.hidden = 1 } == 1)
    #expect(changes(of: hiding) { hiding.shown = 1 } == 1)
    other.hidden = 1
    #expect(changes(of: hiding) { other.hidden = 2 } == 0)
    #expect(changes(of: other) { other.hidden = 3 } == 1)
  }
}
