// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct DidSetPublishedTests {
  private final class Gauge: @unchecked Sendable {
    @DidSetPublished var level = 1
    @DidSetPublished var readings: [Int] = []
  }

  private class Model: ObservableObject {
    @DidSetPublished var level = 1
    @Published var name = "a"
  }

  private final class Submodel: Model {
    @DidSetPublished var extra = 0
  }

  private final class Hiding: ObservableObject, CustomReflectable {
    @DidSetPublished var level = 1
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  @Test func `A subscriber that reads the property finds the value that it receives`() {
    let gauge = Gauge()
    let seen = Locked<[[Int]]>([])
    let cancellable = gauge.$level.sink { value in seen.change { $0.append([value, gauge.level]) } }
    gauge.level = 2
    gauge.level = 2
    gauge.level += 1
    #expect(seen.value == [[1, 1], [2, 2], [2, 2], [3, 3]])
    cancellable.cancel()
    gauge.level = 9
    #expect(seen.value.count == 4 && gauge.level == 9)
  }

  @Test func `A change in place is one set`() {
    let gauge = Gauge()
    let recorder = Recorder<[Int], Never>()
    gauge.$readings.subscribe(recorder)
    gauge.readings.append(1)
    gauge.readings[0] = 2
    #expect(recorder.values == [[], [1], [2]])
    recorder.cancel()
  }

  @Test func `Without subscribers a set is kept`() {
    let gauge = Gauge()
    gauge.level = 2
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    #expect(recorder.values == [2])
    recorder.cancel()
  }

  @Test func `Demand is counted, and a request after skipped values gets the latest`() {
    let gauge = Gauge()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    gauge.$level.subscribe(recorder)
    for level in 2...5 { gauge.level = level }
    #expect(recorder.values == [1, 2])
    recorder.request(.max(2))
    gauge.level = 6
    gauge.level = 7
    #expect(recorder.values == [1, 2, 5, 6] && recorder.complaints.isEmpty)
    recorder.cancel()
  }

  @Test func `A set within a delivery is the last that every subscriber sees`() {
    let gauge = Gauge()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 { gauge.level = 3 }
      return .none
    }
    for recorder in [first, second] { gauge.$level.subscribe(recorder) }
    gauge.level = 2
    #expect(first.values == [1, 2, 3] && second.values.last == 3 && gauge.level == 3)
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test func `The object's subscribers are notified before the value is stored, the property's after`() {
    let model = Model()
    let log = Locked<[String]>([])
    let cancellables = [
      model.$level.dropFirst().sink { value in log.change { $0.append("did \(value), \(model.level)") } },
      model.objectWillChange.sink { log.change { $0.append("will \(model.level)") } },
    ]
    model.level = 2
    #expect(log.value == ["will 1", "did 2, 2"])
    model.name = "b"
    #expect(log.value.count == 3)
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `Inherited and hidden properties notify the object, too`() {
    let (model, hiding) = (Submodel(), Hiding())
    let count = Locked(0)
    let cancellables = [
      model.objectWillChange.sink { count.change { $0 += 1 } },
      hiding.objectWillChange.sink { count.change { $0 += 1 } },
    ]
    model.extra = 1
    model.level = 2
    hiding.level = 2
    #expect(count.value == 3)
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `The object is freed, and a subscription does not complete`() {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, Never>()
    do {
      let model = graveyard.watch(Model())
      model.$level.subscribe(recorder)
      let cancellable = model.objectWillChange.sink {}
      model.level = 2
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(recorder.values == [1, 2] && recorder.completions.isEmpty)
    recorder.cancel()
  }

  @Test func `A value that is replaced may set the property`() {
    final class Value: @unchecked Sendable {
      let action: (() -> Void)?
      init(_ action: (() -> Void)? = nil) { self.action = action }
      deinit { action?() }
    }
    final class Holder: @unchecked Sendable { @DidSetPublished var value: Value? }
    for isHeard in [false, true] {
      let holder = Holder()
      let cancellable = isHeard ? holder.$value.sink { _ in } : AnyCancellable {}
      holder.value = Value { [unowned holder] in holder.value = nil }
      holder.value = Value()
      #expect(holder.value == nil)
      cancellable.cancel()
    }
  }

  @Test func `Sets of several threads are delivered in one order, and end with the value that stays`() {
    let gauge = Gauge()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    for recorder in [first, second] { gauge.$level.subscribe(recorder) }
    onThreads(4) { thread in
      for number in 0..<1_000 { gauge.level = thread * 10_000 + number }
    }
    #expect(first.values.last == gauge.level && second.values.last == gauge.level)
    #expect(!first.hasOverlapped && !second.hasOverlapped)
    for recorder in [first, second] { recorder.cancel() }
  }
}
