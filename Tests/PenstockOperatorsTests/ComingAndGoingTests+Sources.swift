// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension Coming {
  static let sources: [Coming] = [
    .init("subscribers of create") {
      let publisher = AnyPublisher<Int, Never>.create { emitter in
        emitter.onDemand { _ in emitter.send(1) }
        emitter.onCancel {}
        return AnyCancellable {}
      }
      return { _ in publisher.sink { _ in }.cancel() }
    },
    .init("values of create") {
      let kept = Locked<Publishers.Emitter<Int, Never>?>(nil)
      let cancellable = AnyPublisher<Int, Never>.create(bufferSize: 3, whenFull: .dropOldest) { emitter in
        kept.change { $0 = emitter }
        return AnyCancellable {}
      }.sink { _ in }
      return { number in withExtendedLifetime(cancellable) { kept.value?.send(number) } }
    },
    .init("subscribers of generate, using and interval") {
      let scheduler = VirtualTimeScheduler()
      let numbers = Publishers.generate(state: 0) { last -> Int? in
        last += 1
        return last < 5 ? last : nil
      }
      return { _ in
        Publishers.using(resource: { 1 }, cleanup: { _ in }, publisher: { _ in numbers }).sink { _ in }.cancel()
        let ticks = Publishers.interval(1, scheduler: scheduler).sink { _ in }
        scheduler.advance(by: 1)
        ticks.cancel()
      }
    },
    .init("values and subscribers of a ReplaySubject") {
      let subject = ReplaySubject<Int, Never>(capacity: 3)
      return { number in
        let all = (0..<3).map { _ in subject.sink { _ in } }
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("values of a ReplaySubject with an age") {
      let scheduler = VirtualTimeScheduler()
      let subject = ReplaySubject<Int, Never>(maximumAge: 10, scheduler: scheduler)
      return { number in
        subject.send(number)
        scheduler.advance(by: 1)
      }
    },
    .init("upstreams of a ReplaySubject and an AsyncSubject") {
      let source = PassthroughSubject<Int, Never>()
      let (replay, last) = (ReplaySubject<Int, Never>(capacity: 1), AsyncSubject<Int, Never>())
      return { number in
        let all = [source.subscribe(replay), source.subscribe(last)]
        source.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("values and subscribers of relays") {
      let (passthrough, current) = (PassthroughRelay<Int>(), CurrentValueRelay(0))
      let replay = ReplayRelay<Int>(capacity: 1)
      return { number in
        let all = [
          passthrough.sink { _ in }, current.sink { _ in }, replay.sink { _ in }, passthrough.subscribe(current),
          passthrough.subscribe(replay), [number].publisher.subscribe(passthrough),
        ]
        passthrough.accept(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("subscribers of a property that publishes after it has changed") {
      final class Gauge { @DidSetPublished var level = 0 }
      let gauge = Gauge()
      return { number in
        let cancellable = gauge.$level.sink { _ in }
        gauge.level = number
        cancellable.cancel()
      }
    },
  ]
}

@Suite struct SourceComingAndGoingTests {
  /// In a process of its own, where no other test uses the heap.
  @Test func `What a source or a subject keeps does not depend on how often it has been joined and left`() async {
    await #expect(processExitsWith: .success) {
      let growing = Coming.growing(Coming.sources)
      #expect(growing.isEmpty, "\(growing)")
    }
  }
}
