// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension Coming {
  static let beyond: [Coming] = [
    .init("subscribers of shareReplay") {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.shareReplay(capacity: 2)
      return { number in
        let all = (0..<3).map { _ in shared.sink { _ in } }
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("subscribers of share(buffering:), with a bound") { sharing(.bounded(2)) },
    .init("subscribers of share(buffering:), the newest") { sharing(.newest(2)) },
    .init("subscribers of share(buffering:), the oldest") { sharing(.oldest(2)) },
    .init("subscribers of share(keepingFor:), which has a timer each time") {
      let (subject, clock) = (PassthroughSubject<Int, Never>(), VirtualTimeScheduler())
      let shared = subject.share(keepingFor: 2, scheduler: clock)
      return { number in
        let cancellable = shared.sink { _ in }
        subject.send(number)
        cancellable.cancel()
        clock.advance(by: 1)
      }
    },
    .init("branches of multicast(in:)") {
      let subject = PassthroughSubject<Int, Never>()
      let stream = subject.multicast { $0.merge(with: $0) }
      return { number in
        let cancellable = stream.sink { _ in }
        subject.send(number)
        cancellable.cancel()
      }
    },
    .init("connections of share(replay:)") {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share(replay: 2)
      return { number in
        let cancellable = shared.sink { _ in }
        subject.send(number)
        cancellable.cancel()
      }
    },
    .init("values of throttle(while:)") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let condition = CurrentValueSubject<Bool, Never>(false)
      let cancellable = subject.throttle(while: condition, on: clock).sink { _ in }
      return { number in
        condition.value = number.isMultiple(of: 3)
        subject.send(number)
        clock.advance()
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("subscribers of throttle(while:)") {
      let clock = VirtualTimeScheduler()
      let (subject, condition) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, Never>(true))
      return { number in
        let cancellable = subject.throttle(while: condition, on: clock).sink { _ in }
        subject.send(number)
        clock.advance()
        cancellable.cancel()
      }
    },
    .init("values of collect by weight") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.collect(upTo: 3, weight: 9, within: 1, scheduler: clock) { $0 % 7 }.sink { _ in }
      return { number in
        subject.send(number)
        clock.advance(by: 0.4)
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("subscribers of collect by weight") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      return { number in
        let cancellable = subject.collect(upTo: 3, weight: 9, within: 1, scheduler: clock) { $0 % 7 }.sink { _ in }
        subject.send(number)
        cancellable.cancel()
      }
    },
    .init("values of pace, by number and by cost") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let cancellables = [
        subject.pace(2, per: .seconds(1), burst: 2, scheduler: clock).sink { _ in },
        subject.pace(2, per: .seconds(1), burst: 2, scheduler: clock) { $0 % 3 }.sink { _ in },
      ]
      return { number in
        subject.send(number)
        clock.advance(by: 0.4)
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("subscribers of pace, by number and by cost") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      return { number in
        let cancellables = [
          subject.pace(2, per: .seconds(1), scheduler: clock).sink { _ in },
          subject.pace(2, per: .seconds(1), scheduler: clock) { _ in 1 }.sink { _ in },
        ]
        for _ in 0..<2 { subject.send(number) }
        for cancellable in cancellables { cancellable.cancel() }
      }
    },
    .init("values of coalesce, that wait and that do not") {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: .max(1))
      subject.coalesce { max($0, $1) }.subscribe(recorder)
      return { number in
        subject.send(number)
        subject.send(number)
        withExtendedLifetime(recorder) {}
      }
    },
    .init("subscribers and values of pausable(by:)") {
      let subject = PassthroughSubject<Int, Never>()
      let valve = Publishers.Valve()
      let other = subject.pausable(by: valve, whenClosed: .drop).sink { _ in }
      return { number in
        let cancellable = subject.pausable(by: valve).sink { _ in }
        valve.close()
        subject.send(number)
        if number.isMultiple(of: 2) { cancellable.cancel() }
        valve.open()
        cancellable.cancel()
        withExtendedLifetime(other) {}
      }
    },
    .init("values of buffer(upTo:) and buffer(weight:), that wait and that do not") {
      let subject = PassthroughSubject<Int, Never>()
      let sinks = [
        subject.buffer(upTo: 4).pausableSink(receiveCompletion: { _ in }, receiveValue: { _ in false }),
        subject.buffer(weight: 4) { _ in 1 }.pausableSink(receiveCompletion: { _ in }, receiveValue: { _ in false }),
      ]
      return { number in
        for _ in 0..<2 { subject.send(number) }
        for sink in sinks + sinks { sink.resume() }
      }
    },
    .init("values of expand, and its publishers that run and that do not") {
      let (subject, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let cancellable = subject.expand { number -> AnyPublisher<Int, Never> in
        number > 0
          ? [-1, -2].publisher.merge(with: inner.first().filter { _ in false }).eraseToAnyPublisher()
          : Empty().eraseToAnyPublisher()
      }
      .sink { _ in }
      return { number in
        subject.send(number + 1)
        inner.send(1)
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("values of receive(on:upTo:)") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.receive(on: clock, upTo: 2).sink { _ in }
      return { number in
        for _ in 0..<3 { subject.send(number) }
        clock.advance()
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("subscribers of delaySubscription, timeout(first:) and stalled") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      return { number in
        let cancellables = [
          subject.delaySubscription(for: 1, scheduler: clock).sink { _ in },
          subject.timeout(first: 1, scheduler: clock).sink { _ in },
          subject.stalled(after: 1, scheduler: clock).sink { _ in },
        ]
        subject.send(number)
        if number.isMultiple(of: 2) { clock.advance(by: 2) }
        for cancellable in cancellables { cancellable.cancel() }
        clock.advance(by: 2)
      }
    },
    .init("values of stalled, debounce by value, and throttle with edges and reducing") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let cancellables = [
        subject.stalled(after: 60, scheduler: clock).sink { _ in },
        subject.debounce(for: { .seconds($0 % 3) }, scheduler: clock).sink { _ in },
        subject.throttle(for: 1, scheduler: clock, leading: true, trailing: false).sink { _ in },
        subject.throttle(for: 1, scheduler: clock, leading: false, trailing: true).sink { _ in },
        subject.throttle(for: 1, scheduler: clock, reducing: max).sink { _ in },
      ]
      return { number in
        subject.send(number)
        clock.advance(by: 0.4)
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("subscribers of mergeDelayingErrors, and of a circuit breaker") {
      let clock = VirtualTimeScheduler()
      let breaker = CircuitBreaker(failures: 2, resetAfter: 1, scheduler: clock)
      let subject = PassthroughSubject<Int, TestError>()
      let failing = Fail<Int, TestError>(error: .oops)
      return { number in
        let cancellables = [
          subject.mergeDelayingErrors(with: failing).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
          failing.circuitBreaker(breaker).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
          subject.circuitBreaker(breaker).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        ]
        subject.send(number)
        if number.isMultiple(of: 3) { clock.advance(by: 1) }
        for cancellable in cancellables { cancellable.cancel() }
      }
    },
    .init("attempts of retry after values") {
      let clock = VirtualTimeScheduler()
      let current = Locked(PassthroughSubject<Int, TestError>())
      let deferred = Deferred { () -> PassthroughSubject<Int, TestError> in
        let subject = PassthroughSubject<Int, TestError>()
        current.change { $0 = subject }
        return subject
      }
      let policy = RetryPolicy.fixed(2, delay: .seconds(1)).resetsOnValue().giveUp(after: .seconds(60))
      let cancellable = deferred.retry(policy, scheduler: clock) { _ in .after(1) }
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      return { number in
        current.value.send(number)
        current.value.send(completion: .failure(.oops))
        clock.advance(by: 1)
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("attempts of retry with a delay") {
      let clock = VirtualTimeScheduler()
      let current = Locked(PassthroughSubject<Int, TestError>())
      let deferred = Deferred { () -> PassthroughSubject<Int, TestError> in
        let subject = PassthroughSubject<Int, TestError>()
        current.change { $0 = subject }
        return subject
      }
      let cancellable = deferred.retry(.max, delay: 1, scheduler: clock)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      return { _ in
        current.value.send(completion: .failure(.oops))
        clock.advance(by: 1)
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("values and subscribers of chunks") {
      let (subject, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      let cancellables = [
        subject.chunked { $1 % 3 != 0 }.sink { _ in }, subject.chunked { $0 / 3 }.sink { _ in },
        subject.collect { $0 % 3 != 0 }.sink { _ in }, subject.collect(until: trigger).sink { _ in },
      ]
      return { number in
        let later = subject.collect(until: trigger).sink { _ in }
        subject.send(number)
        if number.isMultiple(of: 3) { trigger.send() }
        later.cancel()
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("values, windows and groups") {
      let clock = VirtualTimeScheduler()
      let (subject, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      let cancellables = [
        subject.window(count: 3).flatMap { $0 }.sink { _ in },
        subject.window(until: trigger).flatMap { $0 }.sink { _ in },
        subject.window(for: 1, scheduler: clock).flatMap { $0 }.sink { _ in },
        subject.grouped { $0 % 3 }.flatMap { $0 }.sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        subject.grouped(by: { $0 }, maxGroups: 9, idleAfter: 1, scheduler: clock).flatMap { $0 }
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
      ]
      return { number in
        let later = [
          subject.window(count: 3).flatMap { $0 }.sink { _ in },
          subject.grouped { $0 % 3 }.flatMap { $0 }.sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        ]
        subject.send(number)
        if number.isMultiple(of: 3) { trigger.send() }
        clock.advance(by: 0.5)
        later.forEach { $0.cancel() }
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("keys that come and go, by cancels and by time") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let cancellables = [
        subject.grouped(by: { $0 }, maxGroups: 2).flatMap { $0.first() }
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        subject.grouped(by: { $0 }, maxGroups: 5, idleAfter: 3, scheduler: clock).flatMap { $0 }
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
      ]
      return { number in
        subject.send(number)
        clock.advance(by: 1)
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("batches of flatMapBatches") {
      return { number in
        let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
        let cancellable = subjects.flatMapBatches(of: 2).sink { _ in }
        for subject in subjects {
          subject.send(number)
          subject.send(completion: .finished)
        }
        cancellable.cancel()
      }
    },
    .init("values of pairwise, materialize and takeLast") {
      let subject = PassthroughSubject<Int, Never>()
      let cancellables = [
        subject.pairwise().sink { _ in }, subject.materialize().dematerialize().sink { _ in },
        subject.takeLast(2).sink { _ in },
      ]
      return { number in
        subject.send(number)
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("values and subscribers of withLatestFrom, sample and flatMapFirst") {
      let (subject, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      return { number in
        let all = [
          subject.withLatestFrom(other).sink { _ in }, subject.sample(other).sink { _ in },
          subject.flatMapFirst { Just($0) }.sink { _ in },
        ]
        other.send(number)
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("values and ends of shapes") {
      let (subject, failing) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, TestError>(true))
      let cancellables = [
        subject.nwise(3).sink { _ in }, subject.scan(into: [0]) { $0[0] = $1 }.sink { _ in },
        subject.prefix(3).repeat().sink { _ in }, subject.enumerated().combinePrevious((0, 0)).sink { _ in },
      ]
      return { number in
        subject.send(number)
        let all = [
          failing.tryFilter { _ in throw TestError.oops }.mapError { _ in TestError.oops }.retryWhen { _ in subject }
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
          failing.and(failing.not()).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        ]
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("values of dropLast, and comparisons") {
      let (subject, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let cancellables = [
        subject.dropLast(3).sink { _ in }, subject.sequenceEqual(other).sink { _ in },
      ]
      return { number in
        subject.send(number)
        other.send(number)
        let single = subject.single().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        subject.send(number)
        other.send(number)
        single.cancel()
        withExtendedLifetime(cancellables) {}
      }
    },
    .init("streams of an activity tracker, and of an object's life") {
      let (tracker, lifetime) = (ActivityTracker(), Lifetime())
      let subject = PassthroughSubject<Int, Never>()
      let shown = tracker.sink { _ in }
      return { number in
        let cancellable = subject.prefix(untilDeinitOf: lifetime).trackActivity(tracker).finally {}.sink { _ in }
        subject.send(number)
        cancellable.cancel()
        withExtendedLifetime(shown) {}
      }
    },
    .init("pauses of a sink") {
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.pausableSink(receiveCompletion: { _ in }, receiveValue: { _ in true })
      return { number in
        sink.pause()
        sink.resume()
        subject.send(number)
      }
    },
  ]

  /// A fast subscriber and slow ones, each of which leaves waiting values behind.
  private static func sharing(_ policy: ShareBufferingPolicy) -> (Int) -> Void {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share(buffering: policy)
    let fast = shared.sink { _ in }
    return { number in
      let slow = (0..<3).map { _ in shared.pausableSink(receiveCompletion: { _ in }, receiveValue: { _ in false }) }
      for value in 0..<3 { subject.send(number + value) }
      for pausable in slow { pausable.cancel() }
      withExtendedLifetime(fast) {}
    }
  }
}

@Suite struct ComingAndGoingTests {
  /// In a process of its own, where no other test uses the heap.
  @Test func `What a publisher keeps does not depend on how often it has been joined and left`() async {
    await #expect(processExitsWith: .success) {
      let growing = Coming.growing(Coming.beyond)
      #expect(growing.isEmpty, "\(growing)")
    }
  }
}
