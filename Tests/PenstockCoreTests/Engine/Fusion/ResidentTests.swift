// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A subject in whose subscriptions sinks reside.
private struct Residence: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Whether a subscriber gets a zero at once.
  let repeats: Bool
  private let makeSubject: @Sendable () -> any Subject<Int, TestError>

  struct Place {
    let publisher: AnyPublisher<Int, TestError>
    /// Subscribes to the subject itself, whose type is known here.
    let sink:
      (
        Depth, (Canary, Canary, Canary), _ onEnd: @escaping (Subscribers.Completion<TestError>) -> Void,
        _ onValue: @escaping (Int) -> Void
      ) -> AnyCancellable
    let send: (Int) -> Void
    let end: (Subscribers.Completion<TestError>) -> Void
  }

  func make() -> Place {
    func place(_ subject: some Subject<Int, TestError>) -> Place {
      Place(
        publisher: subject.eraseToAnyPublisher(), sink: { subject.sink(above: $0, $1, onEnd: $2, onValue: $3) },
        send: { subject.send($0) }, end: { subject.send(completion: $0) })
    }
    return place(makeSubject())
  }

  static let all = [
    Residence(testDescription: "PassthroughSubject", repeats: false) { PassthroughSubject() },
    Residence(testDescription: "CurrentValueSubject", repeats: true) { CurrentValueSubject(0) },
  ]
}

extension Publisher where Output == Int, Failure == TestError {
  /// Returns a sink, with the given number of operators upstream of it; it captures the objects, in both closures and
  /// in those of the operators.
  fileprivate func sink(
    above depth: Depth, _ canaries: (Canary, Canary, Canary),
    onEnd: @escaping (Subscribers.Completion<TestError>) -> Void, onValue: @escaping (Int) -> Void
  ) -> AnyCancellable {
    func subscribe<P: Publisher<Int, TestError>>(_ publisher: P) -> AnyCancellable {
      publisher.sink(
        receiveCompletion: { completion in withExtendedLifetime(canaries.0) { onEnd(completion) } },
        receiveValue: { value in withExtendedLifetime(canaries.1) { onValue(value) } })
    }
    let kept: (Int) -> Int = { value in withExtendedLifetime(canaries.2) { value } }
    return switch depth {
    case .bare: subscribe(self)
    case .one: subscribe(map(kept))
    // Each closure takes two words.
    case .many:
      subscribe(map(kept).filter { kept($0) == $0 }.map(kept).compactMap { kept($0) }.map(kept).map(kept).map(kept))
    case .stateful:
      subscribe(
        removeDuplicates { kept($0) == $1 }.drop { kept($0) < 0 }.map(kept).prefix(100)
          .tryFilter { kept($0) == $0 }.mapError { $0 as? TestError ?? .oops }.prefix { kept($0) < 100 })
    case .erased: subscribe(map(kept).eraseToAnyPublisher().map(kept).eraseToAnyPublisher())
    }
  }
}

private enum Depth: CaseIterable, Sendable {
  case bare, one, many, stateful, erased
}

/// A way for a stream to end.
private enum End: CaseIterable, Sendable {
  case cancel, cancelInValue, release, finish, failure, finishInValue
}

@Suite struct ResidentTests {
  @Test(arguments: Residence.all, Depth.allCases)
  fileprivate func `What a sink captures is released when the stream ends, though everybody is alive`(
    _ residence: Residence, _ depth: Depth
  ) {
    for end in End.allCases {
      var graveyard = Graveyard()
      let place = residence.make()
      var cancellable: AnyCancellable?
      var values: [Int] = []
      let completions = Locked(0)
      do {
        let canaries = (
          graveyard.watch(Canary(), "completion"), graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map")
        )
        weak let alive = canaries.1
        cancellable = place.sink(depth, canaries, { _ in completions.change { $0 += 1 } }) {
          values.append($0)
          if $0 == 2, end == .cancelInValue { cancellable?.cancel() }
          if $0 == 2, end == .finishInValue { place.end(.finished) }
          #expect(alive != nil)
        }
      }
      place.send(1)
      #expect(graveyard.survivors.count == 3)
      place.send(2)
      switch end {
      case .cancel: cancellable?.cancel()
      case .release: cancellable = nil
      case .finish: place.end(.finished)
      case .failure: place.end(.failure(.oops))
      case .cancelInValue, .finishInValue: break
      }
      #expect(graveyard.survivors.isEmpty, "\(end)")
      place.send(3)
      place.end(.finished)
      #expect(values == (residence.repeats ? [0, 1, 2] : [1, 2]), "\(end)")
      let isEnded = end == .finish || end == .failure || end == .finishInValue
      #expect(completions.value == (isEnded ? 1 : 0), "\(end)")
      withExtendedLifetime((cancellable, place)) {}
    }
  }

  @Test(arguments: Residence.all)
  fileprivate func `The subject is released with the last stream, though what sink returned is kept`(
    _ residence: Residence
  ) {
    for ends in [false, true] {
      var graveyard = Graveyard()
      var canary: Canary? = graveyard.watch(Canary())
      var place: Residence.Place? = residence.make()
      let cancellable = place?.publisher.handleEvents(receiveCancel: { [canary] in withExtendedLifetime(canary) {} })
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      canary = nil
      if ends { place?.end(.finished) } else { cancellable?.cancel() }
      place = nil
      #expect(graveyard.survivors.isEmpty)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test(arguments: Residence.all, Depth.allCases)
  fileprivate func `A closure that ends its own stream still has what it captures, until it returns`(
    _ residence: Residence, _ depth: Depth
  ) {
    final class Deep {
      var isAlive = true
      deinit { isAlive = false }
    }
    let place = residence.make()
    var cancellable: AnyCancellable?
    var seen: [Bool] = []
    weak var observed: Deep?
    do {
      let deep = Deep()
      observed = deep
      cancellable = place.sink(
        depth, (Canary(), Canary(), Canary()),
        { _ in
          cancellable?.cancel()
          cancellable = nil
          seen.append(observed != nil && deep.isAlive)
        }
      ) { [unowned deep] value in
        if value == 1 { place.end(.finished) }
        seen.append(deep.isAlive)
      }
    }
    #expect(observed != nil)
    place.send(1)
    #expect(seen == (residence.repeats ? [true, true, true] : [true, true]))
    #expect(observed == nil)
  }

  @Test(arguments: Residence.all, [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  fileprivate func `A subject that has ended before ends a sink at once, and keeps nothing of it`(
    _ residence: Residence, _ completion: Subscribers.Completion<TestError>
  ) {
    let place = residence.make()
    place.end(completion)
    for depth in Depth.allCases {
      var graveyard = Graveyard()
      var completions: [Subscribers.Completion<TestError>] = []
      let cancellable: AnyCancellable = {
        let canaries = (
          graveyard.watch(Canary(), "completion"), graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map")
        )
        return place.sink(depth, canaries, { completions.append($0) }) { _ in
          Issue.record("A value after the end")
        }
      }()
      #expect(completions == [completion])
      #expect(graveyard.survivors.isEmpty)
      cancellable.cancel()
      cancellable.cancel()
      #expect(completions == [completion])
    }
  }

  @Test(arguments: Residence.all)
  fileprivate func `Sinks that join during a delivery get what comes next, and a current value at once`(
    _ residence: Residence
  ) {
    for isElsewhere in [false, true] {
      let place = UncheckedBox(residence.make())
      let log = Locked<[String]>([])
      let cancellables = Locked<Set<AnyCancellable>>([])
      @Sendable func join(_ name: String) {
        let cancellable = place.value.publisher.map { $0 }.sink(
          receiveCompletion: { _ in log.change { $0.append("\(name) end") } },
          receiveValue: { value in log.change { $0.append("\(name) \(value)") } })
        cancellables.change { _ = $0.insert(cancellable) }
        log.change { $0.append("\(name) joined") }
      }
      cancellables.change { set in
        place.value.publisher.sink(
          receiveCompletion: { _ in },
          receiveValue: { value in
            if value != 1 { return }
            if isElsewhere { elsewhere { join("late") } } else { join("late") }
          }
        ).store(in: &set)
      }
      place.value.send(1)
      place.value.send(2)
      place.value.end(.finished)
      #expect(
        log.value == (residence.repeats ? ["late 1"] : []) + ["late joined", "late 2", "late end"],
        "on another thread: \(isElsewhere)")
      #expect(cancellables.value.count == 2)
    }
  }

  @Test(arguments: Residence.all, [Depth.many, .stateful])
  fileprivate func `Two threads cancel while a third sends: no value is delivered long after, and nothing is kept`(
    _ residence: Residence, _ depth: Depth
  ) {
    for _ in 1...100 {
      var graveyard = Graveyard()
      let place = UncheckedBox(residence.make())
      // Both calls must have returned: the one that finds nothing left to cancel may return before the other has
      // cancelled.
      let cancels = Locked(0)
      let late = Locked(0)
      let cancellable: AnyCancellable = {
        let canaries = (
          graveyard.watch(Canary(), "completion"), graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map")
        )
        return place.value.sink(depth, canaries, { _ in }) { _ in
          if cancels.value == 2 { late.change { $0 += 1 } }
        }
      }()
      onThreads(3) { thread in
        if thread == 0 {
          for value in 1...50 { place.value.send(value) }
        } else {
          cancellable.cancel()
          cancels.change { $0 += 1 }
        }
      }
      #expect(late.value <= 1)
      place.value.send(99)
      #expect(late.value <= 1)
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `Sinks that are over are as many cancellables as others`() {
    var set: Set<AnyCancellable> = []
    for number in 0..<10 { Just(number).sink { _ in }.store(in: &set) }
    for _ in 0..<10 { [1, 2].publisher.map { $0 }.sink { _ in }.store(in: &set) }
    let subject = PassthroughSubject<Int, Never>()
    subject.send(completion: .finished)
    for _ in 0..<10 { subject.sink { _ in }.store(in: &set) }
    #expect(set.count == 30)
    let copies = set.union(set)
    #expect(copies.count == 30)
    for cancellable in set { cancellable.cancel() }
    #expect(set.count == 30)
  }
}
