// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Operators with a state of their own that reside in a subject's subscription.
@Suite struct ManagedResidentTests {
  /// An operator that ends the stream, with its outputs for 1, 2, 3.
  private struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let values: [Int]
    let completion: Subscribers.Completion<TestError>
    let sink:
      @Sendable (
        PassthroughSubject<Int, TestError>, Canary, @escaping (Subscribers.Completion<TestError>) -> Void,
        @escaping (Int) -> Void
      ) -> AnyCancellable

    static let all = [
      Ending(testDescription: "prefix", values: [1, 2], completion: .finished) { subject, canary, onEnd, onValue in
        subject.map { value in withExtendedLifetime(canary) { value } }.prefix(2)
          .sink(receiveCompletion: onEnd, receiveValue: onValue)
      },
      Ending(testDescription: "prefix(0)", values: [], completion: .finished) { subject, canary, onEnd, onValue in
        subject.prefix(0).map { value in withExtendedLifetime(canary) { value } }
          .sink(receiveCompletion: onEnd, receiveValue: onValue)
      },
      Ending(testDescription: "prefix(while:)", values: [1], completion: .finished) {
        subject, canary, onEnd, onValue in
        subject.prefix { value in withExtendedLifetime(canary) { value < 2 } }
          .sink(receiveCompletion: onEnd, receiveValue: onValue)
      },
      Ending(testDescription: "tryMap", values: [1, 2], completion: .failure(.oops)) {
        subject, canary, onEnd, onValue in
        subject.removeDuplicates()
          .tryMap { value in
            try withExtendedLifetime(canary) {
              if value == 3 { throw TestError.oops }
              return value
            }
          }
          .mapError { $0 as? TestError ?? TestError("other") }.prefix(5)
          .sink(receiveCompletion: onEnd, receiveValue: onValue)
      },
    ]
  }

  @Test(arguments: Ending.all)
  private func `An operator that ends the stream completes it once, leaves the subject, and keeps nothing`(
    _ ending: Ending
  ) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    var events: [String] = []
    let cancellable: AnyCancellable = {
      let canary = graveyard.watch(Canary())
      return ending.sink(subject, canary, { events.append("\($0)") }) { events.append("\($0)") }
    }()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .failure(TestError("other")))
    #expect(events == ending.values.map { "\($0)" } + ["\(ending.completion)"])
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A predicate that cancels its stream gets nothing delivered, and neither does a failure come`() {
    let subject = PassthroughSubject<Int, TestError>()
    var cancellable: AnyCancellable?
    var events: [String] = []
    cancellable = subject.removeDuplicates { _, next in
      if next == 2 { cancellable?.cancel() }
      return false
    }.sink(receiveCompletion: { events.append("\($0)") }) { events.append("\($0)") }
    for value in 1...3 { subject.send(value) }
    #expect(events == ["1"])

    events = []
    cancellable = subject.tryMap { value -> Int in
      if value == 2 {
        cancellable?.cancel()
        throw TestError.oops
      }
      return value
    }.sink(receiveCompletion: { events.append("\($0)") }) { events.append("\($0)") }
    for value in 1...3 { subject.send(value) }
    #expect(events == ["1"])
  }

  @Test func `A sink that cancels with the last value gets no completion`() {
    let subject = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable?
    var events: [String] = []
    cancellable = subject.removeDuplicates().prefix(2).sink(receiveCompletion: { events.append("\($0)") }) {
      events.append("\($0)")
      if $0 == 2 { cancellable?.cancel() }
    }
    for value in 1...3 { subject.send(value) }
    #expect(events == ["1", "2"])
  }

  @Test func `A current value may end the stream before sink has returned`() {
    let subject = CurrentValueSubject<Int, Never>(7)
    var events: [String] = []
    let cancellable = subject.removeDuplicates().prefix(1).sink(receiveCompletion: { events.append("\($0)") }) {
      events.append("\($0)")
    }
    #expect(events == ["7", "finished"])
    subject.send(8)
    cancellable.cancel()
    #expect(events == ["7", "finished"])
  }

  @Test func `A value that is sent while one is delivered passes the same state`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let cancellable = subject.removeDuplicates().prefix(3).sink {
      values.append($0)
      subject.send(2)
      subject.send(3)
    }
    subject.send(1)
    subject.send(4)
    #expect(values == [1, 2, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `One thread cancels while another sends the last value: the stream completes at most once`() {
    for _ in 1...200 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, Never>()
      let hasCancelled = Locked(false)
      let completions = Locked(0)
      let late = Locked(0)
      let cancellable: AnyCancellable = {
        let canary = graveyard.watch(Canary())
        return subject.removeDuplicates { _, _ in withExtendedLifetime(canary) { false } }.prefix(20)
          .sink(receiveCompletion: { _ in completions.change { $0 += 1 } }) { _ in
            if hasCancelled.value { late.change { $0 += 1 } }
          }
      }()
      onThreads(2) { thread in
        if thread == 0 {
          for value in 1...40 { subject.send(value) }
        } else {
          cancellable.cancel()
          hasCancelled.change { $0 = true }
        }
      }
      #expect(completions.value <= 1)
      #expect(late.value <= 1)
      #expect(graveyard.survivors.isEmpty)
    }
  }
}
