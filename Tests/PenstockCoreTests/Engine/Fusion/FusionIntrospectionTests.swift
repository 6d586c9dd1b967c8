// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An introspection that notes what is reported, with the types of publishers.
///
/// Each test that enables one runs in a process of its own, so that it does not observe other tests.
private final class Witness: _Introspection {
  private(set) var log: [String] = []

  private func name(_ value: Any) -> String { String(describing: type(of: value)).prefix { $0 != "<" }.description }

  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input { log.append("\(name(publisher)) takes \(subscriber)") }

  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    log.append("\(subscriber) starts \(subscription)")
  }

  func willReceive<S: Subscriber>(subscriber: S, input: S.Input) { log.append("\(subscriber) gets \(input)") }

  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    log.append("\(subscriber) ends \(completion)")
  }

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    log.append("\(subscription) asked \(demand)")
  }

  func willCancel(subscription: any Subscription) { log.append("\(subscription) cancelled") }

  /// Returns the publishers that were subscribed to during a closure, by name.
  func taken(during body: () -> Void) -> [String] {
    log(during: body).filter { $0.contains(" takes ") }.map { String($0.prefix { $0 != " " }) }.sorted()
  }

  /// Returns the reports during a closure.
  func log(during body: () -> Void) -> [String] {
    let before = log.count
    body()
    return Array(log.dropFirst(before))
  }
}

extension Witness {
  /// Returns the operators that are not reported by their names when a sink subscribes to them, with the reports.
  fileprivate func misnamed<P: Publisher<Int, Never>>(below publisher: P) -> [String] {
    let all: [[String]] = [
      misnamed("Map", publisher.map { $0 }),
      misnamed("Filter", publisher.filter { _ in true }),
      misnamed("CompactMap", publisher.compactMap { $0 }),
      misnamed("Scan", publisher.scan(0, +)),
      misnamed("SetFailureType", publisher.setFailureType(to: TestError.self)),
      misnamed("MapError", publisher.setFailureType(to: TestError.self).mapError { $0 }),
      misnamed("IgnoreOutput", publisher.ignoreOutput()),
      misnamed("MapKeyPath", publisher.map(\.magnitude)),
      misnamed("MapKeyPath2", publisher.map(\.magnitude, \.magnitude)),
      misnamed("MapKeyPath3", publisher.map(\.magnitude, \.magnitude, \.magnitude)),
      misnamed("AssertNoFailure", publisher.assertNoFailure()),
    ]
    return all.flatMap(\.self)
  }

  private func misnamed(_ name: String, _ publisher: some Publisher) -> [String] {
    let log = log { _ = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
    let isRight = log.first == "\(name) takes Sink" && !log.contains { $0.hasPrefix("Transparent") }
    return isRight ? [] : ["\(name): \(log)"]
  }
}

/// A chain in which two operators without a port are upstream of each kind that has one.
private func longChain() -> some Publisher<Int, Never> {
  let first = PassthroughSubject<Int, Never>().map { $0 }.filter { _ in true }.removeDuplicates()
  let second = first.map { $0 }.compactMap { $0 }.dropFirst(0).map { $0 }.handleEvents().append(1)
  let third = second.map { $0 }.scan(0) { $1 }.replaceEmpty(with: 0)
  let fourth = third.map { $0 }.buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
  return fourth.map { $0 }.filter { _ in true }.merge(with: Empty(completeImmediately: false))
}

@Suite struct FusionIntrospectionTests {
  @Test func `A sink and the operators above it are reported by their names`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      witness.enable()
      let record = Record<Int, Never>(output: [1], completion: .finished)
      let log = witness.log { _ = record.map { $0 + 1 }.filter { $0 > 0 }.sink { _ in } }
      for text in [
        "Filter takes Sink", "Map takes Filter", "Record takes Map", "Map gets 1", "Filter gets 2", "Sink gets 2",
        "Sink ends finished",
      ] {
        #expect(log.count { $0 == text } == 1, "\(text): \(log)")
      }
    }
  }

  @Test func `A sink of a subject is reported, with its subscription, its values and its cancel`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      witness.enable()
      let (passthrough, current) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
      for (name, publisher) in [
        ("PassthroughSubject", passthrough.eraseToAnyPublisher()),
        ("CurrentValueSubject", current.eraseToAnyPublisher()),
      ] {
        let log = witness.log {
          let cancellable = publisher.sink { _ in }
          if name == "PassthroughSubject" { passthrough.send(1) }
          cancellable.cancel()
        }
        for text in [
          "AnyPublisher takes Sink", "Sink starts \(name)", "\(name) asked unlimited", "Sink gets 1",
          "\(name) cancelled",
        ] {
          #expect(log.contains(text), "\(text): \(log)")
        }
      }
    }
  }

  /// The operators that are fused, each on a publisher of the library, one of a client and an erased one.
  @Test func `Each operator is reported as the publisher that it is`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      witness.enable()
      #expect(witness.misnamed(below: [1, 2].publisher) == [])
      #expect(witness.misnamed(below: Hidden([1, 2].publisher)) == [])
      #expect(witness.misnamed(below: [1, 2].publisher.eraseToAnyPublisher()) == [])
      #expect(witness.misnamed(below: PassthroughSubject<Int, Never>()) == [])
    }
  }

  @Test func `Upstream of every kind of operator each one is reported once, to every kind of end`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      witness.enable()
      let chain = longChain()
      let expected = [
        "Map", "Filter", "RemoveDuplicates", "Map", "CompactMap", "Drop", "Map", "HandleEvents", "Concatenate",
        "Map", "Scan", "ReplaceEmpty", "Map", "Buffer", "Map", "Filter", "Merge", "PassthroughSubject", "Empty",
      ].sorted()
      #expect(witness.taken { _ = chain.sink { _ in } } == expected)
      #expect(
        witness.taken {
          chain.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        } == expected)
      #expect(
        witness.taken { chain.subscribe(AnySubscriber(receiveSubscription: { $0.request(.unlimited) })) } == expected)
      // What is erased is not reported itself.
      let erased = expected.filter { $0 != "Merge" } + ["AnyPublisher"]
      #expect(witness.taken { _ = chain.eraseToAnyPublisher().sink { _ in } } == erased.sorted())
    }
  }

  @Test func `Inner publishers are reported as they are`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      witness.enable()
      for isSwitching in [false, true] {
        let recorder = Recorder<Int, Never>()
        let log = witness.log {
          let outer = [1, 2].publisher
          if isSwitching {
            outer.map { Record<Int, Never>(output: [$0], completion: .finished).map { $0 + 1 } }.switchToLatest()
              .subscribe(recorder)
          } else {
            outer.flatMap { Record<Int, Never>(output: [$0], completion: .finished).map { $0 + 1 } }.subscribe(recorder)
          }
        }
        #expect(recorder.values == [2, 3])
        #expect(log.count { $0.hasPrefix("Record takes Map") } == 2, "\(log)")
        #expect(log.count { $0.hasPrefix("Map takes ") } >= 2, "\(log)")
        #expect(log.count { $0.hasPrefix("Map gets ") } >= 2, "\(log)")
        #expect(!log.contains { $0.hasPrefix("Transparent") }, "\(log)")
      }
    }
  }

  @Test func `An observer that is enabled in the middle of a stream sees the inner publishers from then on`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      let outer = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      outer.flatMap { number in [number, number + 1].publisher }.subscribe(recorder)
      outer.send(1)
      #expect(witness.log.isEmpty)
      witness.enable()
      outer.send(10)
      #expect(witness.log.contains { $0.hasPrefix("Sequence takes ") })
      witness.disable()
      let count = witness.log.count
      outer.send(20)
      #expect(witness.log.count == count)
      #expect(recorder.values == [1, 2, 10, 11, 20, 21])
      #expect(recorder.complaints.isEmpty)
    }
  }

  @Test func `An observer that is enabled during a fused sequence changes nothing in it`() async {
    await #expect(processExitsWith: .success) {
      let witness = Witness()
      let outer = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      outer.flatMap { number in [number, number + 1, number + 2].publisher }.subscribe(recorder)
      recorder.onValue = { value in
        if value == 2 { witness.enable() }
        return .none
      }
      outer.send(1)
      #expect(witness.log.isEmpty)
      outer.send(11)
      outer.send(completion: .finished)
      #expect(recorder.values == [1, 2, 3, 11, 12, 13])
      #expect(recorder.isFinished)
      #expect(!witness.log.isEmpty)
    }
  }

  @Test func `What prints and what handles events sees what it sees below a publisher that is not fused`() {
    func story<P: Publisher<Int, Never>>(_ publisher: P) -> [String] {
      let paper = Paper()
      let events = Locked<[String]>([])
      func note(_ text: String) { events.change { $0.append(text) } }
      let outer = PassthroughSubject<Int, Never>()
      let cancellable = outer.print("outer", to: paper)
        .flatMap { _ in
          publisher.print("inner", to: paper)
            .handleEvents(
              receiveSubscription: { note("subscription \($0)") }, receiveOutput: { note("output \($0)") },
              receiveCompletion: { note("completion \($0)") }, receiveCancel: { note("cancel") },
              receiveRequest: { note("request \($0)") }
            )
            .breakpoint(receiveOutput: { _ in false })
            .map { $0 + 1 }
        }
        .print("all", to: paper)
        .map { $0 * 2 }
        .print("below", to: paper)
        .sink { note("value \($0)") }
      outer.send(1)
      outer.send(2)
      cancellable.cancel()
      return paper.lines + events.value
    }
    #expect(story([1, 2, 3].publisher) == story(Hidden([1, 2, 3].publisher)))
    #expect(story(Just(1)) == story(Hidden(Just(1))))
    #expect(story(CurrentValueSubject(1)) == story(Hidden(CurrentValueSubject(1))))
  }
}
