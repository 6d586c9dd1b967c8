// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The subject that a test is about: their common rules are tested once.
enum SubjectKind: CaseIterable, CustomTestStringConvertible {
  case passthrough, currentValue

  var testDescription: String { name }

  var name: String {
    switch self {
    case .passthrough: "PassthroughSubject"
    case .currentValue: "CurrentValueSubject"
    }
  }

  func make() -> any Subject<Int, TestError> {
    switch self {
    case .passthrough: PassthroughSubject<Int, TestError>()
    case .currentValue: CurrentValueSubject<Int, TestError>(0)
    }
  }
}

extension Recorder where Input == Int {
  /// The values that a test has sent, all greater than zero: without the initial value of a `CurrentValueSubject`.
  var sent: [Int] { values.filter { $0 != 0 } }
}

@Suite struct SubjectRules {
  @Test(arguments: SubjectKind.allCases)
  func `Every subscriber gets what is sent after it came, in order`(_ kind: SubjectKind) {
    let subject = kind.make()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    subject.subscribe(first)
    subject.send(1)
    subject.subscribe(second)
    subject.send(2)
    #expect(first.sent == [1, 2])
    #expect(second.sent == (kind == .passthrough ? [2] : [1, 2]))
    #expect(first.subscriptionTexts == [kind.name])
  }

  @Test(arguments: SubjectKind.allCases, [0, 1, 3])
  func `Demand is counted for each subscriber`(_ kind: SubjectKind, _ count: Int) {
    let subject = kind.make()
    let limited = Recorder<Int, TestError>(demand: nil)
    let unlimited = Recorder<Int, TestError>()
    subject.subscribe(limited)
    subject.subscribe(unlimited)
    if count > 0 { limited.request(.max(count)) }
    for value in 1...5 { subject.send(value) }
    let first = kind == .passthrough ? 1 : 0
    #expect(limited.values == Array((first...5).prefix(count)))
    #expect(unlimited.sent == [1, 2, 3, 4, 5])
  }

  @Test(arguments: SubjectKind.allCases)
  func `The demand that a delivery returns adds to the rest`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { $0 < 3 ? .max(1) : .none }
    subject.subscribe(recorder)
    for value in 1...5 { subject.send(value) }
    #expect(recorder.sent == [1, 2, 3])
  }

  @Test(arguments: SubjectKind.allCases)
  func `A request during a delivery counts for the next value`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { value in
      if value < 3 { recorder.request(.max(1)) }
      return .none
    }
    subject.subscribe(recorder)
    for value in 1...5 { subject.send(value) }
    #expect(recorder.sent == [1, 2, 3])
  }

  @Test(arguments: SubjectKind.allCases)
  func `A nested send is delivered at once, and counted`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var log: [String] = []
    recorder.onValue = { value in
      log.append("begin \(value)")
      if value == 1 { subject.send(2) }
      log.append("end \(value)")
      return value == 1 ? .max(1) : .none
    }
    subject.subscribe(recorder)
    recorder.request(.max(kind == .passthrough ? 2 : 3))
    log = []
    subject.send(1)
    subject.send(3)
    subject.send(4)
    // The demand returned for 1 is added after the nested 2 has used up the rest.
    #expect(log == ["begin 1", "begin 2", "end 2", "end 1", "begin 3", "end 3"])
  }

  @Test(arguments: SubjectKind.allCases)
  func `The first completion reaches everyone, whatever the demand; then nothing counts`(_ kind: SubjectKind) {
    let subject = kind.make()
    let (waiting, busy) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>())
    subject.subscribe(waiting)
    subject.subscribe(busy)
    subject.send(1)
    subject.send(completion: .failure(.oops))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(waiting.values.isEmpty)
    #expect(waiting.completions == [.failure(.oops)])
    #expect(busy.sent == [1])
    #expect(busy.completions == [.failure(.oops)])
    waiting.request(.max(1))
    #expect(waiting.values.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `A subscriber after the end gets the empty subscription and the completion`(_ kind: SubjectKind) {
    let subject = kind.make()
    subject.send(1)
    subject.send(completion: .failure(.oops))
    let late = Recorder<Int, TestError>()
    subject.subscribe(late)
    #expect(late.events == [.subscription("Empty"), .completion(.failure(.oops))])
  }

  @Test(arguments: SubjectKind.allCases)
  func `A send during the completion is ignored`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorders = (0..<2).map { _ in Recorder<Int, TestError>() }
    for recorder in recorders {
      recorder.onCompletion = { _ in
        subject.send(9)
        subject.send(completion: .failure(.oops))
      }
      subject.subscribe(recorder)
    }
    subject.send(completion: .finished)
    #expect(recorders.map(\.sent) == [[], []])
    #expect(recorders.map(\.completions) == [[.finished], [.finished]])
  }

  @Test(arguments: SubjectKind.allCases)
  func `A cancelled subscriber gets nothing more, and cancelling again is harmless`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    subject.send(1)
    recorder.cancel()
    recorder.cancel()
    subject.send(2)
    recorder.request(.max(1))
    subject.send(completion: .finished)
    recorder.cancel()
    #expect(recorder.sent == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `A cancel during a delivery is the end of it`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      if value == 1 {
        recorder.cancel()
        subject.send(2)
      }
      return .unlimited
    }
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(3)
    #expect(recorder.sent == [1])
  }

  @Test(arguments: SubjectKind.allCases)
  func `Cancelling another subscriber during a delivery spares it the value if it has not had it`(_ kind: SubjectKind) {
    let subject = kind.make()
    let (first, second, third) = (Recorder<Int, TestError>(), Recorder<Int, TestError>(), Recorder<Int, TestError>())
    subject.subscribe(first)
    second.onValue = { value in
      if value == 1 {
        first.cancel()
        third.cancel()
      }
      return .none
    }
    subject.subscribe(second)
    subject.subscribe(third)
    subject.send(1)
    subject.send(2)
    #expect(first.sent == [1])
    #expect(second.sent == [1, 2])
    #expect(third.sent.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `Who subscribes during a delivery gets the next value`(_ kind: SubjectKind) {
    let subject = kind.make()
    let (outer, inner) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    outer.onValue = { value in
      if value == 1 { subject.subscribe(inner) }
      return .none
    }
    subject.subscribe(outer)
    subject.send(1)
    subject.send(2)
    // A current value is repeated by the subject, and delivered once.
    #expect(inner.sent == (kind == .passthrough ? [2] : [1, 2]))
  }

  @Test(arguments: SubjectKind.allCases)
  func `One subscriber that attaches twice gets every value twice`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.sent == [1, 1])
    recorder.subscriptions[0].cancel()
    subject.send(2)
    #expect(recorder.sent == [1, 1, 2])
    #expect(recorder.subscriptions[0].combineIdentifier != recorder.subscriptions[1].combineIdentifier)
  }

  @Test(arguments: SubjectKind.allCases)
  func `Cancelling in receive(subscription:) leaves nothing behind`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription(kind.name)])
  }

  @Test(arguments: SubjectKind.allCases)
  func `Sending in receive(subscription:) reaches a subscriber with demand`(_ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      subject.send(1)
    }
    subject.subscribe(recorder)
    #expect(recorder.sent == [1])
  }

  @Test(arguments: SubjectKind.allCases)
  func `The subscription shows its name, its parent, its demand`(_ kind: SubjectKind) throws {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: .max(7))
    subject.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(Shown(of: subscription) == Shown(kind.name, children: ["parent", "downstream", "demand", "subject"]))
    let children = Dictionary(
      uniqueKeysWithValues: (subscription as! any CustomReflectable).customMirror.children.map { ($0.label!, $0.value) }
    )
    #expect(children["demand"] as? Subscribers.Demand == .max(kind == .passthrough ? 7 : 6))
    #expect(children["downstream"] as? Recorder<Int, TestError> === recorder)
    recorder.cancel()
    #expect(String(describing: subscription) == kind.name)
  }

  @Test(arguments: SubjectKind.allCases, ["cancel", "finish", "failure"])
  func `Nothing is left in memory after the end`(_ kind: SubjectKind, _ end: String) {
    var graveyard = Graveyard()
    var subscription: (any Subscription)?
    do {
      let subject = graveyard.watch(kind.make() as AnyObject, "subject") as! any Subject<Int, TestError>
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "recorder")
      let cancellable = subject.sink(
        receiveCompletion: { _ in },
        receiveValue: { [canary = graveyard.watch(Canary(), "closure")] _ in withExtendedLifetime(canary) {} })
      subject.subscribe(recorder)
      subscription = recorder.subscriptions.first
      recorder.releaseSubscriptions()
      subject.send(1)
      switch end {
      case "cancel":
        cancellable.cancel()
        subscription?.cancel()
      case "finish": subject.send(completion: .finished)
      default: subject.send(completion: .failure(.oops))
      }
      if end != "cancel" { cancellable.cancel() }
    }
    // Even the subscription keeps nothing alive.
    #expect(graveyard.survivors.isEmpty)
    subscription = nil
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `A live subscription keeps the subject alive`(_ kind: SubjectKind) {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, TestError>()
    do {
      let subject = graveyard.watch(kind.make() as AnyObject, "subject") as! any Subject<Int, TestError>
      subject.subscribe(recorder)
    }
    #expect(graveyard.survivors == ["subject"])
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `A subscriber whose deinit sends does not upset the subject`(_ kind: SubjectKind) {
    final class SendsAtEnd {
      let subject: any Subject<Int, TestError>
      init(_ subject: any Subject<Int, TestError>) { self.subject = subject }
      deinit { subject.send(7) }
    }
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    var cancellable: AnyCancellable? = {
      let guest = SendsAtEnd(subject)
      return subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(guest) {} })
    }()
    subject.send(1)
    cancellable?.cancel()
    cancellable = nil
    subject.send(2)
    #expect(recorder.sent == [1, 7, 2])
  }

  @Test(arguments: SubjectKind.allCases)
  func `Many subscribers may come and go in any order`(_ kind: SubjectKind) {
    let subject = kind.make()
    var recorders = (0..<100).map { _ in Recorder<Int, TestError>() }
    for recorder in recorders { subject.subscribe(recorder) }
    for index in stride(from: 0, to: 100, by: 2) { recorders[index].cancel() }
    subject.send(1)
    for index in 1..<80 where !index.isMultiple(of: 2) { recorders[index].cancel() }
    subject.send(2)
    recorders += (0..<10).map { _ in
      let late = Recorder<Int, TestError>()
      subject.subscribe(late)
      return late
    }
    subject.send(3)
    for (index, recorder) in recorders.enumerated() {
      let expected: [Int] =
        if index >= 100 { kind == .passthrough ? [3] : [2, 3] } else if index.isMultiple(of: 2) {
          []
        } else if index < 80 {
          [1]
        } else { [1, 2, 3] }
      #expect(recorder.sent == expected, "recorder \(index)")
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Upstream subscriptions are cancelled with the subject, and not at its end`(_ kind: SubjectKind) {
    let upstream = ManualSubscription()
    do {
      let subject = kind.make()
      subject.send(subscription: upstream)
      subject.send(completion: .finished)
      #expect(upstream.cancellations == 0)
    }
    #expect(upstream.cancellations == 1)
  }
}

@Suite struct SubjectTraps {
  @Test func `A passthrough subject asked for nothing`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, Never>().subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `A current value subject asked for nothing`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CurrentValueSubject<Int, Never>(1).subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }
}
