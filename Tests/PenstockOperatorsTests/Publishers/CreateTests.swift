// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// A publisher made by `create`, driven by hand.
///
/// `@unchecked`: the strategy may hold a closure, and theirs may run on any thread.
struct ManualCreate<Output, Failure: Error>: @unchecked Sendable {
  typealias Emitter = Publishers.Emitter<Output, Failure>

  let emitters = Locked<[Emitter]>([])
  /// The number of calls of the cleanup.
  let cleanups = Locked(0)
  var size = Int.max
  var whenFull = Publishers.BufferingStrategy<Failure>.dropNewest

  var emitter: Emitter { emitters.value.last! }

  var publisher: AnyPublisher<Output, Failure> {
    AnyPublisher.create(bufferSize: size, whenFull: whenFull) { [emitters, cleanups] emitter in
      emitters.change { $0.append(emitter) }
      return AnyCancellable { cleanups.change { $0 += 1 } }
    }
  }
}

@Suite struct CreateTests {
  @Test func `The closure is called for each subscriber, which gets what is sent within it and later`() {
    let calls = Locked<[Publishers.Emitter<Int, Never>]>([])
    let publisher = AnyPublisher<Int, Never>.create { emitter in
      emitter.send(0)
      calls.change { $0.append(emitter) }
      return AnyCancellable {}
    }
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    publisher.subscribe(first)
    publisher.subscribe(second)
    for (index, emitter) in calls.value.enumerated() { emitter.send(index + 1) }
    #expect(first.events == [.subscription("Create"), .value(0), .value(1)])
    #expect(second.events == [.subscription("Create"), .value(0), .value(2)])
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test(arguments: [0, 1, 3])
  func `A value that has not been requested waits`(_ count: Int) {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: count == 0 ? nil : .max(count))
    create.publisher.subscribe(recorder)
    for value in 1...5 { create.emitter.send(value) }
    #expect(recorder.values == Array((1...5).prefix(count)))
    recorder.request(.max(1))
    #expect(recorder.values.count == count + 1)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.complaints.isEmpty)
    recorder.cancel()
  }

  @Test func `Demand that is returned, or requested within a delivery, counts`() {
    for isReturned in [false, true] {
      let create = ManualCreate<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: .max(1))
      recorder.onValue = { [unowned recorder] value in
        if value == 3 { return .none }
        if !isReturned { recorder.request(.max(1)) }
        return isReturned ? .max(1) : .none
      }
      create.publisher.subscribe(recorder)
      for value in 1...5 { create.emitter.send(value) }
      #expect(recorder.values == [1, 2, 3])
      #expect(recorder.isSerial && recorder.complaints.isEmpty)
      recorder.cancel()
    }
  }

  @Test func `A value sent during a delivery is delivered after it`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { for next in 2...3 { create.emitter.send(next) } }
      return .none
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isSerial)
    recorder.cancel()
  }

  @Test func `A long chain of values that cause the next one leaves the stack as it was`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value < 200_000 { create.emitter.send(value + 1) }
      return .none
    }
    create.publisher.subscribe(recorder)
    onSmallStack { create.emitter.send(1) }
    #expect(recorder.values.count == 200_000)
    recorder.cancel()
  }

  // MARK: The end

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The completion waits behind the values, and needs no request`(_ end: Subscribers.Completion<TestError>) {
    let create = ManualCreate<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    create.publisher.subscribe(recorder)
    for value in 1...2 { create.emitter.send(value) }
    create.emitter.send(completion: end)
    #expect(recorder.completions.isEmpty && create.cleanups.value == 1)
    create.emitter.send(3)
    create.emitter.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Create"), .value(1), .value(2), .completion(end)])
    #expect(create.cleanups.value == 1)
    create.emitter.send(4)
    #expect(recorder.values == [1, 2] && recorder.complaints.isEmpty)
  }

  @Test func `The cleanup runs before the completion is delivered, also if the closure sends it`() {
    for isAtOnce in [false, true] {
      let log = Locked<[String]>([])
      let kept = Locked<Publishers.Emitter<Int, Never>?>(nil)
      let publisher = AnyPublisher<Int, Never>.create { emitter in
        kept.change { $0 = emitter }
        if isAtOnce {
          emitter.send(1)
          emitter.send(completion: .finished)
          #expect(!emitter.isActive)
        }
        return AnyCancellable { log.change { $0.append("cleanup") } }
      }
      let recorder = Recorder<Int, Never>()
      recorder.onCompletion = { _ in log.change { $0.append("completion") } }
      publisher.subscribe(recorder)
      kept.value?.send(completion: .finished)
      #expect(log.value == ["cleanup", "completion"])
      #expect(recorder.values == (isAtOnce ? [1] : []))
    }
  }

  @Test func `A retry finds the source of the attempt before released`() {
    let (open, most, attempts) = (Locked(0), Locked(0), Locked(0))
    let publisher = AnyPublisher<Int, TestError>.create { emitter in
      let now = open.change { open -> Int in
        open += 1
        return open
      }
      most.change { $0 = max($0, now) }
      attempts.change { $0 += 1 }
      emitter.send(completion: .failure(.oops))
      return AnyCancellable { open.change { $0 -= 1 } }
    }
    let recorder = Recorder<Int, TestError>()
    publisher.retry(5).subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)])
    #expect(attempts.value == 6 && most.value == 1 && open.value == 0)
  }

  // MARK: Cancel

  /// A peer's `create` delivers what its source sends after a cancel.
  @Test func `A source that goes on after a cancel is not heard`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    recorder.cancel()
    for value in 2...4 { create.emitter.send(value) }
    create.emitter.send(completion: .finished)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.values == [1] && recorder.complaints.isEmpty)
    #expect(create.cleanups.value == 1)
    #expect(!create.emitter.isActive && !create.emitter.isReady && create.emitter.demand == .none)
  }

  @Test func `A cancel at any point is the last event, and cleans up once`() {
    for point in 1...4 {
      let log = Locked<[String]>([])
      let recorder = Recorder<Int, Never>()
      recorder.onSubscription = { if point == 1 { $0.cancel() } }
      recorder.onValue = { [unowned recorder] value in
        if value == point { recorder.cancel() }
        return .none
      }
      AnyPublisher<Int, Never>.create { emitter in
        log.change { $0.append("start") }
        emitter.onCancel { log.change { $0.append("cancel") } }
        for value in 2...3 { emitter.send(value) }
        return AnyCancellable { log.change { $0.append("cleanup") } }
      }.subscribe(recorder)
      if point == 4 { recorder.cancel() }
      switch point {
      case 1: #expect(log.value == [] && recorder.values == [])
      case 4: #expect(log.value == ["start", "cleanup", "cancel"] && recorder.values == [2, 3])
      // The cleanup is known only when the closure has returned.
      default: #expect(log.value == ["start", "cancel", "cleanup"] && recorder.values == Array(2...point))
      }
    }
  }

  @Test func `A cancel drops what waits`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      create.emitter.send(2)
      recorder.cancel()
      return .unlimited
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.values == [1] && recorder.complaints.isEmpty)
  }

  @Test func `The closure for a cancel runs on a cancel only, at once if it comes late`() {
    let calls = Locked(0)
    let create = ManualCreate<Int, Never>()
    let (ending, leaving) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    create.publisher.subscribe(ending)
    create.emitter.onCancel { calls.change { $0 += 1 } }
    create.emitter.send(completion: .finished)
    ending.subscription?.cancel()
    #expect(calls.value == 0)
    create.publisher.subscribe(leaving)
    create.emitter.onCancel { calls.change { $0 += 10 } }
    create.emitter.onCancel { calls.change { $0 += 1 } }
    leaving.cancel()
    leaving.cancel()
    #expect(calls.value == 1)
    create.emitter.onCancel { calls.change { $0 += 1 } }
    #expect(calls.value == 2)
  }

  // MARK: What does not fit

  @Test func `A value that does not fit is dropped, or drops the oldest`() {
    for (isOldest, expected) in [(false, [1, 2, 3, 9]), (true, [1, 4, 5, 9])] {
      let create = ManualCreate<Int, Never>(size: 2, whenFull: isOldest ? .dropOldest : .dropNewest)
      let recorder = Recorder<Int, Never>(demand: .max(1))
      create.publisher.subscribe(recorder)
      for value in 1...5 { create.emitter.send(value) }
      recorder.request(.unlimited)
      create.emitter.send(9)
      #expect(recorder.values == expected)
      recorder.cancel()
    }
  }

  @Test func `A value that does not fit may end the source, and the error follows what fits`() {
    let create = ManualCreate<Int, TestError>(size: 1, whenFull: .customError { .oops })
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    create.publisher.subscribe(recorder)
    for value in 1...4 { create.emitter.send(value) }
    #expect(create.cleanups.value == 1 && !create.emitter.isActive)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2] && recorder.completions == [.failure(.oops)])
  }

  @Test func `Without a buffer, what has been requested is delivered, even if it has to wait for a delivery`() {
    for whenFull in [Publishers.BufferingStrategy<Never>.dropNewest, .dropOldest] {
      let create = ManualCreate<Int, Never>(size: 0, whenFull: whenFull)
      let recorder = Recorder<Int, Never>(demand: .max(3))
      recorder.onValue = { value in
        if value == 1 { for next in 2...3 { create.emitter.send(next) } }
        return .none
      }
      create.publisher.subscribe(recorder)
      create.emitter.send(1)
      create.emitter.send(5)
      recorder.request(.max(1))
      create.emitter.send(6)
      #expect(recorder.values == [1, 2, 3, 6])
      recorder.cancel()
    }
  }

  @Test func `A negative size, and a request for nothing, trap`() async {
    let size = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AnyPublisher<Int, Never>.create(bufferSize: -1) { _ in AnyCancellable {} }
    }
    expectMessage(size, "create takes a count of 0 or more")
    let request = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      AnyPublisher<Int, Never>.create { _ in AnyCancellable {} }.subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(request, "request(.none)")
  }
}
