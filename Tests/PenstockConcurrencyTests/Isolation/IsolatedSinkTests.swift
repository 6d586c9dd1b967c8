// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

private typealias Subject = PassthroughSubject<Int, TestError>

private enum Marker {
  @TaskLocal static var name = "none"
}

@Suite struct IsolatedSinkTests {
  @Test(arguments: Place.allCases)
  func `Values and the end arrive on the actor, in order, whatever thread sends`(_ place: Place) async {
    let (subject, received) = (Subject(), Received())
    let cancellable = await place.attach(subject, received)
    onThreads([
      {
        for value in 1...5_000 { subject.send(value) }
        subject.send(completion: .failure(.oops))
      }
    ])
    #expect(await reached { received.completion != nil })
    #expect(received.values == Array(1...5_000))
    #expect(received.completion == .failure(.oops))
    cancellable.cancel()
  }

  @Test(arguments: Place.allCases)
  func `The values of several senders all arrive, each sender's in order`(_ place: Place) async {
    let (subject, received) = (Subject(), Received())
    let cancellable = await place.attach(subject, received)
    onThreads(4) { thread in
      for value in 0..<1_000 { subject.send(thread * 10_000 + value) }
    }
    #expect(await reached { received.values.count == 4_000 })
    for thread in 0..<4 {
      #expect(received.values.filter { $0 / 10_000 == thread } == (0..<1_000).map { thread * 10_000 + $0 })
    }
    cancellable.cancel()
  }

  @MainActor @Test func `No closure runs before the call has returned`() async {
    var values: [Int] = []
    let cancellable = [1, 2].publisher.sink(on: .shared) { values.append($0) }
    #expect(values == [])
    while values.count < 2 { await Task.yield() }
    #expect(values == [1, 2])
    cancellable.cancel()
  }

  @Test(arguments: Place.allCases, [1, 3])
  func `With a limit that many values are requested, and as many again as have been received`(
    _ place: Place, _ limit: Int
  ) async {
    let (source, received) = (ManualPublisher<Int, TestError>(), Received())
    let cancellable = await place.attach(source, received, limit: limit)
    #expect(source.subscription?.requests == [.max(limit)])
    for round in 0..<3 {
      for value in 1...limit { _ = source.send(round * limit + value) }
      #expect(await reached { source.subscription?.requests.reduce(.none, +) == .max((round + 2) * limit) })
    }
    #expect(received.values == Array(1...(3 * limit)))
    cancellable.cancel()
    #expect(source.subscription?.cancellations == 1)
  }

  @Test(arguments: Place.allCases, [0, 1, 2, 300])
  func `A cancel on the actor is final, after any number of values`(_ place: Place, _ count: Int) async {
    let (subject, received) = (Subject(), Received())
    let held = Locked<AnyCancellable?>(nil)
    let cancellable = await place.attach(subject, received) { value in
      if value == count { held.change { $0.take() }?.cancel() }
    }
    if count == 0 { cancellable.cancel() } else { held.change { $0 = cancellable } }
    for value in 1...1_000 { subject.send(value) }
    // Code that runs later on the same actor sees everything that would have been delivered.
    #expect(await reached { received.values.count >= count })
    let other = Received()
    let last = await place.attach(Just(1).setFailureType(to: TestError.self), other)
    #expect(await reached { other.completion != nil })
    #expect(received.values == Array((1...1_000).prefix(count)))
    #expect(received.completion == nil)
    last.cancel()
  }

  @Test(arguments: Place.allCases)
  func `The closures, and what waits, are released by the end and by a cancel`(_ place: Place) async {
    for ends in [true, false] {
      weak var weakCanary: Canary?
      let (subject, received) = (Subject(), Received())
      var cancellable: AnyCancellable?
      do {
        let canary = Canary()
        weakCanary = canary
        cancellable = await place.attach(subject, received) { _ in withExtendedLifetime(canary) {} }
      }
      subject.send(1)
      #expect(await reached { received.values == [1] })
      #expect(weakCanary != nil)
      if ends { subject.send(completion: .finished) } else { cancellable?.cancel() }
      #expect(await reached { weakCanary == nil })
      cancellable = nil
    }
  }

  @MainActor @Test func `Values that wait are freed by a cancel, though the actor is busy`() {
    let subject = PassthroughSubject<Canary, Never>()
    let cancellable = subject.sink(on: .shared) { _ in Issue.record("delivered after the cancel") }
    weak var weakCanary: Canary?
    do {
      let canary = Canary()
      weakCanary = canary
      subject.send(canary)
    }
    #expect(weakCanary != nil)
    cancellable.cancel()
    #expect(weakCanary == nil)
  }

  @Test func `Task-local values of the sender do not reach the closures`() async {
    let (subject, names) = (PassthroughSubject<Int, Never>(), Locked<[String]>([]))
    let cancellable = subject.sink(on: .shared) { _ in names.change { $0.append(Marker.name) } }
    Marker.$name.withValue("sender") { subject.send(1) }
    #expect(await reached { names.value == ["none"] })
    cancellable.cancel()
  }

  @MainActor @Test func `A property is assigned on the actor`() async {
    final class Dial {
      var level = 0
    }
    let (dial, levels) = (Dial(), PassthroughSubject<Int, Never>())
    let cancellable = levels.assign(to: \.level, on: dial, isolation: #isolation)
    elsewhere { levels.send(7) }
    #expect(dial.level == 0)
    while dial.level == 0 { await Task.yield() }
    #expect(dial.level == 7)
    cancellable.cancel()
  }

  @Test func `Events are told on an actor, in order, and the pipeline does not wait`() async {
    let (ledger, subject, received) = (Ledger(), Subject(), Received())
    let cancellable = subject.handleEvents(on: ledger) { ledger, value in
      ledger.assertIsolated()
      ledger.add(value)
    } receiveCompletion: { ledger, completion in
      ledger.end(completion)
    } receiveCancel: { ledger in
      ledger.add(-1)
    } receiveRequest: { ledger, demand in
      ledger.add(demand == .unlimited ? -2 : -3)
    }.sink {
      received.end($0)
    } receiveValue: {
      received.add($0)
    }
    (1...3).forEach(subject.send)
    #expect(received.values == [1, 2, 3])
    subject.send(completion: .finished)
    while await ledger.completions.isEmpty { await Task.yield() }
    #expect(await ledger.values == [-2, 1, 2, 3])
    #expect(await ledger.completions == [.finished])
    cancellable.cancel()
    let other = subject.handleEvents(on: ledger, receiveCancel: { $0.add(-1) }).sink { _ in
    } receiveValue: { _ in
    }
    other.cancel()
    #expect(await ledger.values.count == 4)
  }
}
