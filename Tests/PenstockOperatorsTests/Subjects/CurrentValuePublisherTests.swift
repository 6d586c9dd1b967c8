// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct CurrentValuePublisherTests {
  private final class Model: ObservableObject {
    @Published var count = 1
  }

  @Test func `A subject, a relay and a property have a view that cannot set them`() {
    let (subject, relay, model) = (CurrentValueSubject<Int, TestError>(1), CurrentValueRelay(1), Model())
    let (first, second, third) = (Recorder<Int, TestError>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    let views = (subject.readOnly, relay.readOnly, model.$count.readOnly)
    views.0.subscribe(first)
    views.1.subscribe(second)
    views.2.subscribe(third)
    subject.send(2)
    relay.accept(2)
    model.count = 2
    #expect((views.0.value, views.1.value, views.2.value) == (2, 2, 2))
    #expect(first.values == [1, 2] && second.values == [1, 2] && third.values == [1, 2])
  }

  @Test func `What is derived has a value, without a subscriber as well`() {
    let (width, height) = (CurrentValueSubject<Int, Never>(2), CurrentValueSubject<Int, Never>(3))
    let area = width.readOnly.combineLatest(height.readOnly).map { $0 * $1 }
    let isLarge = area.map { $0 > 10 }.removeDuplicates()
    let text = area.map(\.description)
    #expect((area.value, isLarge.value, text.value) == (6, false, "6"))
    width.send(4)
    height.send(5)
    #expect((area.value, isLarge.value, text.value) == (20, true, "20"))
    let recorder = Recorder<Bool, Never>()
    isLarge.subscribe(recorder)
    for value in [5, 1, 2] { width.send(value) }
    #expect(recorder.values == [true, false] && isLarge.value == false)
  }

  /// A view that stores the last value that it has seen is outdated: while the value is being delivered, for a
  /// subscriber that is called first, and after the last subscriber has left.
  @Test func `The value is never behind`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let view = subject.readOnly.map { $0 * 10 }.removeDuplicates()
    var seen: [[Int]] = []
    let early = subject.sink { seen.append([$0 * 10, view.value]) }
    let own = view.sink { seen.append([$0, view.value]) }
    subject.send(1)
    own.cancel()
    subject.send(2)
    early.cancel()
    subject.send(3)
    #expect(view.value == 30)
    #expect(seen.allSatisfy { $0[0] == $0[1] } && seen.count == 5)
  }

  @Test func `Within a delivery of a property it is the value before, as that of the property`() {
    let model = Model()
    let view = model.$count.readOnly
    var seen: [[Int]] = []
    let cancellable = view.dropFirst().sink { seen.append([$0, view.value, model.count]) }
    model.count = 2
    #expect(seen == [[2, 1, 1]] && view.value == 2)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `The value stays after the end`() {
    let subject = CurrentValueSubject<Int, TestError>(1)
    let view = subject.readOnly.map { -$0 }
    subject.send(completion: .failure(.oops))
    #expect(view.value == -1)
    let recorder = Recorder<Int, TestError>()
    view.subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)] && recorder.values.isEmpty)
  }

  @Test func `Demand is counted for each subscriber`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.readOnly.map { $0 }.subscribe(recorder)
    #expect(recorder.values.isEmpty)
    subject.send(2)
    recorder.request(.max(1))
    subject.send(3)
    #expect(recorder.values == [2])
    recorder.request(.max(1))
    #expect(recorder.values == [2, 3] && recorder.complaints.isEmpty)
  }

  @Test func `It keeps alive what it is made from, and nothing keeps it`() {
    var graveyard = Graveyard()
    do {
      let view = graveyard.watch(CurrentValueSubject<Int, Never>(1)).readOnly.map { $0 + 1 }
      #expect(graveyard.survivors.count == 1 && view.value == 2)
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Other operators give what they always do`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>()
    subject.readOnly.map { $0 + 1 }.filter { $0 > 1 }.first().subscribe(recorder)
    #expect(recorder.values == [2] && recorder.isFinished)
  }

  @Test func `Threads that read while others set see values that were set, in their order`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let view = UncheckedBox(subject.readOnly.map { $0 })
    onThreads(3) { index in
      if index == 0 {
        for value in 1...1_000 { subject.send(value) }
      } else {
        var last = 0
        for _ in 0..<1_000 {
          let value = view.value.value
          #expect(value >= last)
          last = value
        }
      }
    }
    #expect(view.value.value == 1_000)
  }
}
