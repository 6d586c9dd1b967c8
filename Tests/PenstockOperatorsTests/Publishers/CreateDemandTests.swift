// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// What an emitter says about demand, and how much of it is left.
@Suite struct CreateDemandTests {
  /// The demand that has been reported to a closure.
  private final class Reports: @unchecked Sendable {
    private(set) var all: [Subscribers.Demand] = []
    func add(_ demand: Subscribers.Demand) { all.append(demand) }
  }

  @Test func `An emitter is ready while more has been requested than sent`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    create.publisher.subscribe(recorder)
    #expect(!create.emitter.isReady && create.emitter.demand == .none && create.emitter.isActive)
    recorder.request(.max(2))
    #expect(create.emitter.isReady && create.emitter.demand == .max(2))
    create.emitter.send(1)
    #expect(create.emitter.demand == .max(1))
    for value in 2...3 { create.emitter.send(value) }
    #expect(!create.emitter.isReady)
    // The value that waits takes the first request.
    recorder.request(.max(1))
    #expect(!create.emitter.isReady)
    recorder.request(.unlimited)
    #expect(create.emitter.demand == .unlimited)
    recorder.cancel()
  }

  @Test func `During a delivery, values that wait for it count as sent`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(3))
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      #expect(create.emitter.demand == .max(2))
      create.emitter.send(2)
      #expect(create.emitter.demand == .max(1))
      create.emitter.send(3)
      #expect(!create.emitter.isReady)
      return .none
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.values == [1, 2, 3])
    recorder.cancel()
  }

  @Test func `Each request is reported once, and what was requested before is reported at once`() {
    let (create, reports) = (ManualCreate<Int, Never>(), Reports())
    let recorder = Recorder<Int, Never>(demand: .max(3))
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    create.emitter.onDemand { reports.add($0) }
    #expect(reports.all == [.max(2)])
    recorder.request(.max(4))
    recorder.request(.unlimited)
    recorder.request(.max(1))
    #expect(reports.all == [.max(2), .max(4), .unlimited])
    create.emitter.send(2)
    #expect(reports.all.count == 3)
    recorder.cancel()
  }

  @Test func `Demand that stored values meet is not reported`() {
    let (create, reports) = (ManualCreate<Int, Never>(), Reports())
    let recorder = Recorder<Int, Never>(demand: nil)
    create.publisher.subscribe(recorder)
    create.emitter.onDemand { reports.add($0) }
    for value in 1...3 { create.emitter.send(value) }
    recorder.request(.max(2))
    #expect(reports.all.isEmpty)
    recorder.request(.max(5))
    #expect(recorder.values == [1, 2, 3] && reports.all == [.max(4)])
    recorder.cancel()
  }

  @Test(arguments: [false, true])
  func `A source that makes a value for each request does not nest`(_ isReturned: Bool) {
    let made = Locked(0)
    let publisher = AnyPublisher<Int, Never>.create { emitter in
      emitter.onDemand { demand in
        #expect(demand == .max(1))
        while emitter.isReady {
          let value = made.change { made -> Int in
            made += 1
            return made
          }
          emitter.send(value)
          if value == 100_000 { emitter.send(completion: .finished) }
        }
      }
      return AnyCancellable {}
    }
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onValue = { [unowned recorder] _ in
      if !isReturned { recorder.request(.max(1)) }
      return isReturned ? .max(1) : .none
    }
    publisher.subscribe(recorder)
    onSmallStack { recorder.request(.max(1)) }
    #expect(recorder.values.count == 100_000 && made.value == 100_000)
    #expect(recorder.isFinished && recorder.isSerial && recorder.complaints.isEmpty)
  }

  @Test func `A source that sends one value for each report is asked again for what the values request`() {
    let (create, reports) = (ManualCreate<Int, Never>(), Reports())
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onValue = { $0 < 4 ? .max(1) : .none }
    create.publisher.subscribe(recorder)
    let next = Locked(0)
    create.emitter.onDemand { demand in
      reports.add(demand)
      create.emitter.send(
        next.change { next -> Int in
          next += 1; return next
        })
    }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4] && reports.all == Array(repeating: .max(1), count: 4))
    recorder.cancel()
  }

  @Test func `A cancel within a report ends it, and nothing is reported after the end`() {
    let (create, reports) = (ManualCreate<Int, Never>(), Reports())
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    create.publisher.subscribe(recorder)
    create.emitter.onDemand { [emitter = create.emitter] demand in
      reports.add(demand)
      while emitter.isReady { emitter.send(1) }
    }
    recorder.request(.unlimited)
    recorder.request(.max(1))
    create.emitter.onDemand { reports.add($0) }
    #expect(recorder.values == [1] && reports.all == [.unlimited])
    #expect(create.cleanups.value == 1)
  }

  @Test func `A debugger sees demand and what waits`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    create.publisher.subscribe(recorder)
    for value in 1...2 { create.emitter.send(value) }
    let children = recorder.subscription.map {
      Mirror(reflecting: $0).children.map { "\($0.label ?? ""): \($0.value)" }
    }
    #expect(children?.dropFirst() == ["demand: max(0)", "waiting: 2"])
    recorder.cancel()
  }

  // MARK: Lifetimes

  @Test(arguments: ["cancel", "finish", "cancel within a value", "finish with values that wait"])
  func `Nothing is left after the end, though subscription and emitter are kept`(_ end: String) {
    var graveyard = Graveyard()
    let kept = Locked<(subscription: (any Subscription)?, emitter: Publishers.Emitter<Canary, Never>?)>((nil, nil))
    do {
      let (cleanup, demand, cancel) = (
        graveyard.watch(Canary(), "cleanup"), graveyard.watch(Canary(), "demand"), graveyard.watch(Canary(), "cancel")
      )
      let recorder = graveyard.watch(
        Recorder<Canary, Never>(demand: end.contains("wait") ? .max(1) : .unlimited), "recorder")
      recorder.onSubscription = { subscription in kept.change { $0.subscription = subscription } }
      recorder.onValue = { _ in
        if end.contains("within") { kept.value.subscription?.cancel() }
        return .none
      }
      AnyPublisher<Canary, Never>.create { emitter in
        kept.change { $0.emitter = emitter }
        emitter.onDemand { _ in withExtendedLifetime((demand, emitter)) {} }
        emitter.onCancel { withExtendedLifetime((cancel, emitter)) {} }
        return AnyCancellable { withExtendedLifetime((cleanup, emitter)) {} }
      }.subscribe(recorder)
      (recorder.onSubscription, recorder.onValue) = (nil, nil)
      for _ in 0..<3 { kept.value.emitter?.send(graveyard.watch(Canary(), "value")) }
      if end.contains("cancel") { kept.value.subscription?.cancel() }
      if end.contains("finish") { kept.value.emitter?.send(completion: .finished) }
      if end.contains("wait") {
        #expect(recorder.completions.isEmpty)
        kept.value.subscription?.request(.max(2))
        #expect(recorder.isFinished)
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(kept.value.emitter?.isActive == false)
    #expect(kept.value.subscription.map { "\($0)" } == "Create")
  }

  @Test func `What is released at a cancel may call the emitter`() {
    final class Caller {
      let call: () -> Void
      init(_ call: @escaping () -> Void) { self.call = call }
      deinit { call() }
    }
    let kept = Locked<Publishers.Emitter<Caller, Never>?>(nil)
    let calls = Locked(0)
    let recorder = Recorder<Caller, Never>(demand: nil)
    AnyPublisher<Caller, Never>.create(bufferSize: 1, whenFull: .dropOldest) { emitter in
      kept.change { $0 = emitter }
      return AnyCancellable {}
    }.subscribe(recorder)
    let call = {
      calls.change { $0 += 1 }
      kept.value?.send(Caller {})
      recorder.subscription?.cancel()
    }
    kept.value?.send(Caller(call))
    // Replaces the first one, whose deinitialisation cancels.
    kept.value?.send(Caller(call))
    #expect(calls.value == 2 && kept.value?.isActive == false)
  }
}
