// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct KeyPathAccessTests {
  private final class Gauge {
    var level = 0
    var note: String?
    var readings = [1, 2, 3]
    var changes: [Int] = []
    var observed = 0 {
      didSet { changes.append(oldValue) }
    }
    var next: Gauge?
  }

  private struct Handle {
    let gauge: Gauge
    var level: Int {
      get { gauge.level }
      nonmutating set { gauge.level = newValue }
    }
  }

  private let gauge = Gauge()

  @Test func `A key path that is chosen at run time is read`() {
    gauge.level = 7
    gauge.readings = [9]
    let all: [KeyPath<Gauge, Int>] = [\.level, \.readings[0], (\Gauge.readings).appending(path: \.count)]
    #expect(all.map { KeyPathReader($0)(gauge) } == [7, 9, 1])
    #expect(all.map { KeyPathReader($0).keyPath } == all)
  }

  @Test func `An optional property is read as it is, whether there is a value or none`() {
    let read = KeyPathReader(\Gauge.note)
    #expect(read(gauge) == nil)
    gauge.note = "high"
    #expect(read(gauge) == "high")
    let count = KeyPathReader(\Gauge.next?.note?.count)
    #expect(count(gauge) == .some(nil))
    gauge.next = Gauge()
    gauge.next?.note = "low"
    #expect(count(gauge) == 3)
  }

  @Test func `A key path with an index keeps the index that it was made with`() {
    var index = 0
    let first = KeyPathReader(\Gauge.readings[index])
    index = 2
    let last = KeyPathReader(\Gauge.readings[index])
    index = 1
    #expect([first(gauge), last(gauge)] == [1, 3])
  }

  @Test func `Setting by a key path runs the property's observer`() {
    let set = KeyPathWriter(\Gauge.observed)
    set(gauge, 3)
    set(gauge, 5)
    #expect(gauge.observed == 5)
    #expect(gauge.changes == [0, 3])
    #expect(set.keyPath == \Gauge.observed)
  }

  @Test func `A key path that is chosen at run time is set, an element of an array too`() {
    let all: [ReferenceWritableKeyPath<Gauge, Int>] = [\.level, \.readings[1]]
    for (value, keyPath) in zip([8, 9], all) { KeyPathWriter(keyPath)(gauge, value) }
    #expect(gauge.level == 8)
    #expect(gauge.readings == [1, 9, 3])
  }

  @Test func `A property of a value that stands for an object is set`() {
    KeyPathWriter(\Handle.level)(Handle(gauge: gauge), 4)
    #expect(gauge.level == 4)
  }

  @Test func `Nothing is kept of what is read or set`() {
    weak var leaked: Gauge?
    do {
      let owner = Gauge()
      let set = KeyPathWriter(\Gauge.next)
      set(owner, Gauge())
      leaked = KeyPathReader(\Gauge.next)(owner)
      #expect(leaked != nil)
    }
    #expect(leaked == nil)
  }

  @Test func `A pipeline assigns by a literal as by a key path that it is given`() {
    let keyPaths: [ReferenceWritableKeyPath<Gauge, Int>] = [\.level, \.readings[2], \.observed]
    let (subject, other) = (PassthroughSubject<Int, Never>(), Gauge())
    let all =
      keyPaths.map { subject.assign(to: $0, on: gauge) } + [
        subject.assign(to: \.level, on: other), subject.assign(to: \.readings[2], on: other),
        subject.assign(to: \.observed, on: other),
      ]
    (1...3).forEach { subject.send($0 * 10) }
    all.forEach { $0.cancel() }
    subject.send(1)
    for keyPath in keyPaths {
      #expect(gauge[keyPath: keyPath] == 30)
      #expect(other[keyPath: keyPath] == 30)
    }
    #expect(gauge.changes == [0, 10, 20])
    #expect(other.changes == [0, 10, 20])
  }
}
