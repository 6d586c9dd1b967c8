// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An observable object with a number and a list.
final class Gauge: ObservableObject {
  @Published var level = 0
  @Published var marks: [Int] = []
}

/// Not observable: only its property publishes.
final class PlainGauge {
  @Published var level = 0
  @Published(initialValue: nil) var name: String?
}

@Suite struct PublishedTests {
  @Test func `A set tells the object's subscribers, then the property's, and then stores`() {
    let gauge = Gauge()
    var log: [String] = []
    let cancellables = [
      gauge.$level.sink { log.append("property gets \($0), reads \(gauge.level)") },
      gauge.objectWillChange.sink { log.append("object reads \(gauge.level)") },
    ]
    gauge.level = 1
    log.append("stored \(gauge.level)")
    #expect(
      log == ["property gets 0, reads 0", "object reads 0", "property gets 1, reads 0", "stored 1"])
    cancellables.forEach { $0.cancel() }
  }

  @Test func `Every set counts, also of an equal value`() {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    gauge.level = 0
    gauge.level += 1
    #expect(recorder.values == [0, 0, 1])
  }

  @Test func `A change in place is one set`() {
    let gauge = Gauge()
    let recorder = Recorder<[Int], Never>()
    var changes = 0
    let cancellable = gauge.objectWillChange.sink { changes += 1 }
    gauge.$marks.subscribe(recorder)
    gauge.marks.append(1)
    gauge.marks.append(2)
    #expect(recorder.values == [[], [1], [1, 2]])
    #expect(changes == 2)
    #expect(gauge.marks == [1, 2])
    cancellable.cancel()
  }

  @Test func `A change in place that throws is a set of what it has left`() {
    let gauge = Gauge()
    let recorder = Recorder<[Int], Never>()
    gauge.$marks.subscribe(recorder)
    func spoil(_ marks: inout [Int]) throws {
      marks.append(1)
      throw TestError.oops
    }
    #expect(throws: TestError.oops) { try spoil(&gauge.marks) }
    #expect(gauge.marks == [1])
    #expect(recorder.values == [[], [1]])
  }

  @Test func `The property can be read during a change in place, and is old there`() {
    let gauge = Gauge()
    gauge.marks = [3, 4]
    var seen: [[Int]] = []
    gauge.marks.removeAll {
      seen.append(gauge.marks)
      return $0 == 3
    }
    #expect(seen == [[3, 4], [3, 4]])
    #expect(gauge.marks == [4])
  }

  @Test func `A set before the first subscriber is stored, and not delivered later`() {
    let gauge = PlainGauge()
    gauge.level = 4
    #expect(gauge.level == 4)
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    #expect(recorder.values == [4])
  }

  @Test func `An optional property may be nil`() {
    let gauge = PlainGauge()
    #expect(gauge.name == nil)
    let recorder = Recorder<String?, Never>()
    gauge.$name.subscribe(recorder)
    gauge.name = "penstock"
    gauge.name = nil
    #expect(recorder.values == [nil, "penstock", nil])
    #expect(gauge.name == nil)
  }

  @Test func `A request during an announcement is answered with the stored value`() {
    let gauge = Gauge()
    let (fromObject, fromProperty) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>(demand: nil))
    gauge.$level.subscribe(fromObject)
    gauge.$level.subscribe(fromProperty)
    var answers: [[Int]] = []
    let cancellables = [
      gauge.objectWillChange.sink {
        fromObject.request(.max(1))
        answers.append(fromObject.values)
      },
      gauge.$level.dropFirst().sink { _ in
        fromProperty.request(.max(1))
        answers.append(fromProperty.values)
      },
    ]
    gauge.level = 1
    #expect(answers == [[0], [0]])
    cancellables.forEach { $0.cancel() }
  }

  @Test func `A set during an announcement reaches all subscribers, and stays`() {
    let gauge = PlainGauge()
    let (before, after) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    gauge.$level.subscribe(before)
    let cancellable = gauge.$level.sink { if $0 > 10 { gauge.level = 10 } }
    gauge.$level.subscribe(after)
    gauge.level = 20
    #expect(before.values == [0, 20, 10])
    #expect(after.values == [0, 10])
    #expect(gauge.level == 10)
    gauge.level = 5
    #expect(after.values == [0, 10, 5])
    #expect(gauge.level == 5)
    cancellable.cancel()
  }

  @Test func `A set during objectWillChange is overtaken by the set that caused it`() {
    let gauge = Gauge()
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    var isFirst = true
    let cancellable = gauge.objectWillChange.sink {
      guard isFirst else { return }
      isFirst = false
      gauge.level = 7
    }
    gauge.level = 1
    #expect(recorder.values == [0, 7, 1])
    #expect(gauge.level == 1)
    cancellable.cancel()
  }

  @Test func `Reading $property twice gives publishers of the same value`() {
    let gauge = PlainGauge()
    let (first, second) = (gauge.$level, gauge.$level)
    let recorders = (0..<2).map { _ in Recorder<Int, Never>() }
    first.subscribe(recorders[0])
    second.subscribe(recorders[1])
    gauge.level = 1
    #expect(recorders.map(\.values) == [[0, 1], [0, 1]])
  }

  @Test func `Another property's publisher that is assigned by hand changes nothing`() {
    let (gauge, other) = (PlainGauge(), PlainGauge())
    other.level = 9
    gauge.$level = other.$level
    #expect(gauge.level == 0)
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    other.level = 8
    gauge.level = 1
    #expect(recorder.values == [0, 1])
  }

  @Test func `A property that is made anew in an initialiser has the new value`() {
    final class Made: ObservableObject {
      @Published var level: Int
      init(_ level: Int) { _level = Published(initialValue: level) }
    }
    let made = Made(3)
    var changes = 0
    let cancellable = made.objectWillChange.sink { changes += 1 }
    #expect(made.level == 3)
    made.level = 4
    #expect(changes == 1)
    cancellable.cancel()
  }

  @Test func `The wrapper is not equatable, hashable or codable, and neither is its publisher`() {
    let wrapper = Published(initialValue: 1)
    for value in [wrapper, wrapper.projectedValue] as [Any] {
      #expect(!(value is any Equatable))
      #expect(!(value is any Encodable))
      #expect(!(value is any Decodable))
    }
  }

  @Test func `A value is freed when the next one comes, and not under a lock`() {
    final class Reads {
      nonisolated(unsafe) static var nils = 0
      let read: () -> Reads?
      init(_ read: @escaping () -> Reads?) { self.read = read }
      deinit { if read() == nil { Reads.nils += 1 } }
    }
    final class Owner {
      @Published var reads: Reads?
    }
    for isSubscribed in [false, true] {
      Reads.nils = 0
      let owner = Owner()
      let cancellable = isSubscribed ? owner.$reads.sink { _ in } : nil
      owner.reads = Reads { [unowned owner] in owner.reads }
      owner.reads = nil
      #expect(Reads.nils == 1)
      cancellable?.cancel()
    }
  }

  @Test func `A change that copies nothing when read leaves the buffer of an array where it is`() {
    let gauge = Gauge()
    gauge.marks = [1, 2, 3]
    func address(_ marks: [Int]) -> UnsafeRawPointer? { marks.withUnsafeBytes { $0.baseAddress } }
    let before = address(gauge.marks)
    let cancellable = gauge.$marks.sink { _ in }
    #expect(address(gauge.marks) == before)
    cancellable.cancel()
  }
}
