// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct OperatorContractTests {
  /// Ways to request everything, piece by piece.
  enum RequestingSubscriber: CaseIterable {
    case all, one, two, returned, requestedInside, mixed

    func drive(_ subscriber: ContractSubscriber) {
      switch self {
      case .all: subscriber.request(.unlimited)
      case .one: for _ in 0..<60 { subscriber.request(.max(1)) }
      case .two: for _ in 0..<30 { subscriber.request(.max(2)) }
      case .returned:
        subscriber.onValue = { _, _ in .max(1) }
        subscriber.request(.max(1))
      case .requestedInside:
        subscriber.onValue = { subscriber, _ in
          subscriber.request(.max(1))
          return .none
        }
        subscriber.request(.max(1))
      case .mixed:
        subscriber.onValue = { subscriber, value in
          if value.isMultiple(of: 2) { subscriber.request(.max(1)) }
          return value.isMultiple(of: 3) ? .max(2) : .max(1)
        }
        subscriber.request(.max(2))
      }
    }
  }

  private func source(_ count: Int, failing: Bool = false) -> AnyPublisher<Int, TestError> {
    Record(output: Array(1...max(1, count)).prefix(count).map { $0 }, completion: failing ? .failure(.oops) : .finished)
      .eraseToAnyPublisher()
  }

  @Test(arguments: RosterEntry.cold, [0, 1, 7])
  func `However values are asked for, they are the same`(_ entry: RosterEntry, _ count: Int) {
    for failing in [false, true] where !failing || entry.name != "setFailureType" && !entry.dropsWithFailure {
      var expected: ([Int], Int)?
      for asking in RequestingSubscriber.allCases {
        let subscriber = ContractSubscriber()
        entry.apply(source(count, failing: failing)).subscribe(subscriber)
        asking.drive(subscriber)
        #expect(subscriber.complaints.isEmpty, "\(asking)")
        #expect(subscriber.completions.count == 1, "\(asking)")
        if let expected {
          #expect(subscriber.values == expected.0, "\(asking)")
        } else {
          expected = (subscriber.values, subscriber.completions.count)
        }
      }
    }
  }

  @Test(arguments: RosterEntry.cold)
  func `Nothing is delivered that was not asked for`(_ entry: RosterEntry) {
    for demand in 0..<4 {
      let subscriber = ContractSubscriber()
      entry.apply(source(9)).subscribe(subscriber)
      if demand > 0 { subscriber.request(.max(demand)) }
      #expect(subscriber.complaints.isEmpty)
      #expect(subscriber.values.count <= demand)
    }
  }

  @Test(arguments: RosterEntry.cold)
  func `Upstream is asked for no more than downstream asks, plus what is dropped`(_ entry: RosterEntry) {
    guard !entry.asksForEverything else { return }
    let upstream = ManualPublisher<Int, TestError>()
    let subscriber = ContractSubscriber()
    entry.apply(upstream.eraseToAnyPublisher()).subscribe(subscriber)
    let requested = { upstream.subscription!.requests.reduce(Subscribers.Demand.none, +) }
    // `replaceEmpty` requests on its own, to find out whether there is a value.
    if entry.name == "replaceEmpty" { return }
    #expect(requested() == .none)
    subscriber.request(.max(3))
    subscriber.request(.max(2))
    #expect(requested() == .max(5))
  }

  @Test(arguments: RosterEntry.all)
  func `A cancel in the middle of a value is the end`(_ entry: RosterEntry) {
    for point in 1...3 {
      let subscriber = ContractSubscriber()
      subscriber.onValue = { subscriber, _ in
        if subscriber.values.count == point { subscriber.cancel() }
        return .max(5)
      }
      subscriber.onSubscription = { $0.request(.unlimited) }
      entry.apply(source(9)).subscribe(subscriber)
      #expect(subscriber.complaints.isEmpty)
      #expect(subscriber.values.count <= point)
    }
  }

  @Test(arguments: RosterEntry.all)
  func `A cancel during the introduction is the end`(_ entry: RosterEntry) {
    for asksFirst in [false, true] {
      let subject = PassthroughSubject<Int, TestError>()
      let subscriber = ContractSubscriber()
      subscriber.onSubscription = { subscriber in
        if asksFirst { subscriber.request(.unlimited) }
        subscriber.cancel()
        subscriber.cancel()
        subscriber.subscription?.request(.max(1))
      }
      entry.apply(subject.eraseToAnyPublisher()).subscribe(subscriber)
      for value in 1...5 { subject.send(value) }
      subject.send(completion: .finished)
      #expect(subscriber.complaints.isEmpty)
      #expect(subscriber.values.isEmpty)
      #expect(subscriber.completions.isEmpty)
    }
  }

  @Test(arguments: RosterEntry.all, ["cancel", "finish", "failure"])
  func `Nothing is left in memory`(_ entry: RosterEntry, _ end: String) {
    if entry.name == "setFailureType", end == "failure" { return }
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let subscriber = graveyard.watch(ContractSubscriber(), "subscriber")
      let above = subject.map { [canary = graveyard.watch(Canary(), "closure above")] value in
        withExtendedLifetime(canary) { value }
      }
      let stream = entry.apply(above.eraseToAnyPublisher())
      let below = stream.map { [canary = graveyard.watch(Canary(), "closure below")] value in
        withExtendedLifetime(canary) { value }
      }
      below.subscribe(subscriber)
      subscriber.request(.max(2))
      for value in 1...5 { subject.send(value) }
      switch end {
      case "cancel": subscriber.cancel()
      case "finish": subject.send(completion: .finished)
      default: subject.send(completion: .failure(.oops))
      }
      // A collecting operator's result waits for this request; it has no effect on the others.
      if end == "finish" { subscriber.request(.max(1)) }
      subscriber.releaseSubscription()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: RosterEntry.cold)
  func `A hundred thousand values, asked for one by one, leave the stack as it was`(_ entry: RosterEntry) {
    let finished = Locked(false)
    onSmallStack(kibibytes: 256) {
      let subscriber = ContractSubscriber()
      subscriber.onValue = { subscriber, value in
        if value.isMultiple(of: 2) { return .max(1) }
        subscriber.request(.max(1))
        return .none
      }
      entry.apply(Publishers.Sequence(sequence: 1...100_000).eraseToAnyPublisher()).subscribe(subscriber)
      subscriber.request(.max(1))
      finished.change { $0 = subscriber.completions.count == 1 && subscriber.complaints.isEmpty }
    }
    #expect(finished.value)
  }

  @Test(arguments: RosterEntry.all)
  func `During a value's delivery another thread may request and cancel`(_ entry: RosterEntry) {
    let subject = PassthroughSubject<Int, TestError>()
    let subscriber = ContractSubscriber()
    subscriber.onValue = { subscriber, _ in
      elsewhere {
        subscriber.subscription?.request(.max(1))
        _ = String(describing: subscriber.subscription)
        subscriber.subscription?.cancel()
      }
      return .none
    }
    entry.apply(subject.eraseToAnyPublisher()).subscribe(subscriber)
    subscriber.request(.unlimited)
    for value in 1...9 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(subscriber.values.count <= 1)
    #expect(subscriber.completions.isEmpty || subscriber.values.isEmpty)
  }

  @Test(arguments: RosterEntry.all)
  func `Requests and a cancel race with values and the end`(_ entry: RosterEntry) {
    for round in 0..<30 {
      let subject = PassthroughSubject<Int, TestError>()
      let subscriber = ContractSubscriber()
      entry.apply(subject.eraseToAnyPublisher()).subscribe(subscriber)
      subscriber.request(.max(2))
      let subscription = UncheckedBox(subscriber.subscription)
      onThreads([
        {
          for value in 1...20 { subject.send(value) }
          if round.isMultiple(of: 2) { subject.send(completion: .finished) }
        },
        { for _ in 0..<5 { subscription.value?.request(.max(1)) } },
        { if round.isMultiple(of: 3) { subscription.value?.cancel() } },
      ])
      #expect(subscriber.completions.count <= 1)
      #expect(subscriber.values.count <= 20)
    }
  }
}
