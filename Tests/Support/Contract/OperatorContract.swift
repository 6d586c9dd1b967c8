// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Testing

/// The rules that every operator keeps between a source of the library and a subscriber, whatever it does to values.
///
/// Each function tests one rule of one operator.
public enum OperatorContract {
  /// Ways to request everything, piece by piece.
  enum Requesting: CaseIterable {
    case all, one, two, returned, requestedInside, mixed

    func drive(_ recorder: Recorder<Int, TestError>) {
      switch self {
      case .all: recorder.request(.unlimited)
      case .one: for _ in 0..<60 { recorder.request(.max(1)) }
      case .two: for _ in 0..<30 { recorder.request(.max(2)) }
      case .returned:
        recorder.onValue = { _ in .max(1) }
        recorder.request(.max(1))
      case .requestedInside:
        recorder.onValue = { [unowned recorder] _ in
          recorder.request(.max(1))
          return .none
        }
        recorder.request(.max(1))
      case .mixed:
        recorder.onValue = { [unowned recorder] value in
          if value.isMultiple(of: 2) { recorder.request(.max(1)) }
          return value.isMultiple(of: 3) ? .max(2) : .max(1)
        }
        recorder.request(.max(2))
      }
    }
  }

  private static func source(_ count: Int, failing: Bool = false) -> OperatorSpec.Stream {
    Record(output: Array(1...max(1, count)).prefix(count).map { $0 }, completion: failing ? .failure(.oops) : .finished)
      .eraseToAnyPublisher()
  }

  /// The values are the same, however they are requested; only for operators without a reason to vary.
  public static func valuesDoNotDependOnRequests(_ spec: OperatorSpec, count: Int) {
    for failing in [false, true] where !failing || spec.mayFail && !spec.traits.contains(.losesValuesWithFailure) {
      var expected: [Int]?
      for requesting in Requesting.allCases {
        let recorder = Recorder<Int, TestError>(demand: nil)
        spec.apply(source(count, failing: failing)).subscribe(recorder)
        requesting.drive(recorder)
        #expect(recorder.complaints.isEmpty, "\(spec.name), \(requesting)")
        #expect(recorder.completions.count == 1, "\(spec.name), \(requesting)")
        if let expected { #expect(recorder.values == expected, "\(spec.name), \(requesting)") }
        expected = expected ?? recorder.values
      }
    }
  }

  /// No value is delivered that was not requested.
  public static func deliversWithinDemand(_ spec: OperatorSpec) {
    for demand in 0..<4 {
      let recorder = Recorder<Int, TestError>(demand: nil)
      spec.apply(source(9)).subscribe(recorder)
      if demand > 0 { recorder.request(.max(demand)) }
      #expect(recorder.complaints.isEmpty, "\(spec.name)")
      #expect(recorder.values.count <= demand, "\(spec.name)")
    }
  }

  /// Upstream gets the requests of downstream; only for operators that request no more than that.
  public static func requestsWhatIsRequested(_ spec: OperatorSpec) {
    let upstream = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    spec.apply(upstream.eraseToAnyPublisher()).subscribe(recorder)
    let requested = { upstream.subscription!.requests.reduce(Subscribers.Demand.none, +) }
    #expect(requested() == .none, "\(spec.name)")
    recorder.request(.max(3))
    recorder.request(.max(2))
    #expect(requested() == .max(5), "\(spec.name)")
  }

  /// A mirror of the subscription, and of the subscriber that upstream gets, has no superclass: `dump` shows one as a line
  /// of its own.
  public static func showsNoSuperclass(_ spec: OperatorSpec) {
    let upstream = KeepingPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    spec.apply(upstream.eraseToAnyPublisher()).subscribe(recorder)
    upstream.subscriber?.receive(subscription: ManualSubscription())
    for shown: Any in [upstream.subscriber as Any, recorder.subscription as Any] {
      #expect(Mirror(reflecting: shown).superclassMirror == nil, "\(spec.name)")
      if let reflectable = shown as? any CustomReflectable {
        #expect(reflectable.customMirror.superclassMirror == nil, "\(spec.name)")
      }
    }
  }

  /// A cancel during a value's delivery is the end.
  public static func endsWithCancelDuringValue(_ spec: OperatorSpec) {
    for point in 1...3 {
      let recorder = Recorder<Int, TestError>()
      recorder.onValue = { [unowned recorder] _ in
        if recorder.values.count == point { recorder.cancel() }
        return .max(5)
      }
      spec.apply(source(9)).subscribe(recorder)
      #expect(recorder.complaints.isEmpty, "\(spec.name)")
      #expect(recorder.values.count <= point, "\(spec.name)")
    }
  }

  /// A cancel during the delivery of the subscription is the end.
  public static func endsWithCancelDuringSubscription(_ spec: OperatorSpec) {
    for requestsFirst in [false, true] {
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: nil)
      recorder.onSubscription = { [unowned recorder] subscription in
        if requestsFirst { recorder.request(.unlimited) }
        recorder.cancel()
        recorder.cancel()
        subscription.request(.max(1))
      }
      spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
      for value in 1...5 { subject.send(value) }
      subject.send(completion: .finished)
      #expect(recorder.complaints.isEmpty, "\(spec.name)")
      #expect(recorder.values.isEmpty, "\(spec.name)")
      #expect(recorder.completions.isEmpty, "\(spec.name)")
    }
  }

  /// How a stream ends.
  public enum End: CaseIterable, Sendable { case cancel, finish, failure }

  /// Nothing is left in memory when the stream is over.
  public static func leavesNothingInMemory(_ spec: OperatorSpec, after end: End) {
    if !spec.mayFail, end == .failure { return }
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(demand: nil), "subscriber")
      let above = subject.map { [canary = graveyard.watch(Canary(), "closure above")] value in
        withExtendedLifetime(canary) { value }
      }
      let stream = spec.apply(above.eraseToAnyPublisher())
      let below = stream.map { [canary = graveyard.watch(Canary(), "closure below")] value in
        withExtendedLifetime(canary) { value }
      }
      below.subscribe(recorder)
      recorder.request(.max(2))
      for value in 1...5 { subject.send(value) }
      switch end {
      case .cancel: recorder.cancel()
      case .finish: subject.send(completion: .finished)
      case .failure: subject.send(completion: .failure(.oops))
      }
      // A collecting operator's result waits for this request; it has no effect on the others.
      if end == .finish { recorder.request(.max(1)) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty, "\(spec.name)")
  }

  /// Ten thousand values that are requested one by one do not deepen the stack: a frame for each would not fit on this one.
  public static func leavesStackAsItWas(_ spec: OperatorSpec) {
    let finished = Locked(false)
    onSmallStack(kibibytes: 256) {
      let recorder = Recorder<Int, TestError>(demand: nil)
      recorder.onValue = { [unowned recorder] value in
        if value.isMultiple(of: 2) { return .max(1) }
        recorder.request(.max(1))
        return .none
      }
      spec.apply(Publishers.Sequence(sequence: 1...10_000).eraseToAnyPublisher()).subscribe(recorder)
      recorder.request(.max(1))
      finished.change { $0 = recorder.completions.count == 1 && recorder.complaints.isEmpty }
    }
    #expect(finished.value, "\(spec.name)")
  }

  /// During a value's delivery another thread may request and cancel: no lock is held.
  public static func letsOtherThreadsActDuringValue(_ spec: OperatorSpec) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { [unowned recorder] _ in
      let subscription = UncheckedBox(recorder.subscription)
      elsewhere {
        subscription.value?.request(.max(1))
        _ = String(describing: subscription.value)
        subscription.value?.cancel()
      }
      return .none
    }
    spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    for value in 1...9 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values.count <= 1, "\(spec.name)")
    #expect(recorder.completions.isEmpty || recorder.values.isEmpty, "\(spec.name)")
  }

  /// Requests and a cancel may race with values and the end.
  public static func survivesRaces(_ spec: OperatorSpec) {
    for round in 0..<30 {
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: nil)
      spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
      recorder.request(.max(2))
      let subscription = UncheckedBox(recorder.subscription)
      onThreads([
        {
          for value in 1...20 { subject.send(value) }
          if round.isMultiple(of: 2) { subject.send(completion: .finished) }
        },
        { for _ in 0..<5 { subscription.value?.request(.max(1)) } },
        { if round.isMultiple(of: 3) { subscription.value?.cancel() } },
      ])
      #expect(recorder.completions.count <= 1, "\(spec.name)")
      #expect(recorder.values.count <= 20, "\(spec.name)")
      #expect(!recorder.hasOverlapped, "\(spec.name)")
    }
  }
}
