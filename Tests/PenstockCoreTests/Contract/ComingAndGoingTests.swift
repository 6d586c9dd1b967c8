// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

extension Coming {
  private final class Model {
    @Published var level = 0
  }

  static let all = subjects + published + sharing + leaves + operators + schedulers

  private static let subjects: [Coming] = [
    .init("subscribers of a subject") {
      let subject = PassthroughSubject<Int, Never>()
      return { _ in subject.sink { _ in }.cancel() }
    },
    .init("ten subscribers of a subject, the first to come the first to go") {
      let subject = CurrentValueSubject<Int, Never>(0)
      return { _ in
        let all = (0..<10).map { _ in subject.sink { _ in } }
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("subscribers of a subject that one stays with") {
      let subject = PassthroughSubject<Int, Never>()
      let stays = subject.sink { _ in }
      return { _ in withExtendedLifetime(stays) { subject.sink { _ in }.cancel() } }
    },
    .init("subscribers that leave from inside of a value") {
      let subject = PassthroughSubject<Int, Never>()
      return { number in
        let cancellable = subject.first().sink { _ in }
        subject.send(number)
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("upstreams of a subject that are cancelled") {
      let (source, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      return { _ in source.subscribe(subject).cancel() }
    },
    .init("upstreams of a subject that are dropped") {
      let (source, subject) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
      return { _ in _ = source.subscribe(subject) }
    },
    .init("signals of an object, and those who listen") {
      let publisher = ObservableObjectPublisher()
      return { _ in
        let cancellable = publisher.sink {}
        publisher.send()
        cancellable.cancel()
      }
    },
  ]

  private static let published: [Coming] = [
    .init("subscribers of a property") {
      let model = Model()
      return { _ in model.$level.sink { _ in }.cancel() }
    },
    .init("publishers assigned to a property") {
      let model = Model()
      return { Just($0).assign(to: &model.$level) }
    },
    .init("publishers assigned to a property that end later") {
      let model = Model()
      return { _ in
        let subject = PassthroughSubject<Int, Never>()
        subject.assign(to: &model.$level)
        subject.send(completion: .finished)
      }
    },
    .init("objects with a publisher") {
      final class Object: ObservableObject { @Published var level = 0 }
      return { _ in Object().objectWillChange.sink {}.cancel() }
    },
    .init("objects without properties") {
      final class Object: ObservableObject {}
      return { _ in Object().objectWillChange.sink {}.cancel() }
    },
  ]

  private static let sharing: [Coming] = [
    .init("connections of a share") {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      return { _ in shared.sink { _ in }.cancel() }
    },
    .init("connections of a multicast") {
      let multicast = PassthroughSubject<Int, Never>().multicast { CurrentValueSubject<Int, Never>(0) }
      return { _ in multicast.connect().cancel() }
    },
    .init("subscribers of a multicast, connected by the first") {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.multicast { PassthroughSubject<Int, Never>() }.autoconnect()
      return { number in
        let all = (0..<3).map { _ in shared.sink { _ in } }
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("subscribers of a connection that stays") {
      let multicast = PassthroughSubject<Int, Never>().makeConnectable()
      let connection = multicast.connect()
      return { _ in withExtendedLifetime(connection) { multicast.sink { _ in }.cancel() } }
    },
  ]

  private static let leaves: [Coming] = [
    .init("those who do not wait for a future any longer") {
      let future = Future<Int, Never> { _ in }
      return { _ in
        let all = (0..<10).map { _ in future.sink { _ in } }
        for cancellable in all { cancellable.cancel() }
      }
    },
    .init("futures with a result") {
      { number in
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        let all = (0..<3).map { _ in future.sink { _ in } }
        promise?(.success(number))
        withExtendedLifetime(all) {}
      }
    },
    .init("subscribers of a deferred publisher") {
      let subject = PassthroughSubject<Int, Never>()
      let deferred = Deferred { subject }
      return { _ in deferred.sink { _ in }.cancel() }
    },
    .init("subscribers of a sequence") {
      let sequence = (1...3).publisher
      return { _ in sequence.sink { _ in }.cancel() }
    },
    .init("iterators of a subject") {
      let subject = PassthroughSubject<Int, Never>()
      return { _ in _ = subject.values.makeAsyncIterator() }
    },
  ]

  private static let operators: [Coming] = [
    .init("merges of many") {
      let subject = PassthroughSubject<Int, Never>()
      return { _ in Publishers.MergeMany((0..<10).map { _ in subject }).sink { _ in }.cancel() }
    },
    .init("zips and their like") {
      let subject = CurrentValueSubject<Int, Never>(0)
      return { _ in
        subject.zip(subject).sink { _ in }.cancel()
        subject.combineLatest(subject).sink { _ in }.cancel()
        subject.prefix(untilOutputFrom: subject).sink { _ in }.cancel()
        subject.drop(untilOutputFrom: subject).sink { _ in }.cancel()
      }
    },
    .init("streams of one flatMap that end") {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.flatMap { Just($0) }.sink { _ in }
      return { number in withExtendedLifetime(cancellable) { subject.send(number) } }
    },
    .init("streams of one flatMap that end later, while one stays") {
      let subject = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
      let cancellable = subject.flatMap { $0 }.sink { _ in }
      subject.send(Empty(completeImmediately: false).eraseToAnyPublisher())
      return { _ in
        let all = (0..<5).map { _ in PassthroughSubject<Int, Never>() }
        for inner in all { subject.send(inner.eraseToAnyPublisher()) }
        for inner in all { inner.send(completion: .finished) }
        withExtendedLifetime(cancellable) {}
      }
    },
    .init("streams of one flatMap, one at a time") {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
        .flatMap(maxPublishers: .max(1)) { [$0, $0].publisher }.sink { _ in }
      return { number in withExtendedLifetime(cancellable) { subject.send(number) } }
    },
    .init("streams that switchToLatest leaves") {
      let (subject, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let cancellable = subject.map { _ in inner }.switchToLatest().sink { _ in }
      return { number in withExtendedLifetime(cancellable) { subject.send(number) } }
    },
    .init("attempts of retry") {
      let source = PassthroughSubject<Int, TestError>()
      let current = Locked(PassthroughSubject<Int, TestError>())
      let deferred = Deferred { () -> PassthroughSubject<Int, TestError> in
        let subject = PassthroughSubject<Int, TestError>()
        current.change { $0 = subject }
        return subject
      }
      let cancellable = deferred.retry(.max).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      return { _ in
        withExtendedLifetime((source, cancellable)) { current.value.send(completion: .failure(.oops)) }
      }
    },
    .init("values that a buffer has delivered") {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: nil)
      subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest).subscribe(recorder)
      return { number in
        for _ in 0..<20 { subject.send(number) }
      }
    },
  ]

  private static let schedulers: [Coming] = [
    .init("values of timed operators") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let all = [
        subject.receive(on: clock).sink { _ in }, subject.delay(for: 1, scheduler: clock).sink { _ in },
        subject.debounce(for: 1, scheduler: clock).sink { _ in },
        subject.throttle(for: 1, scheduler: clock, latest: true).sink { _ in },
        subject.timeout(10, scheduler: clock).sink { _ in },
        subject.collect(.byTime(clock, 1)).sink { _ in },
        subject.collect(.byTimeOrCount(clock, 1, 2)).sink { _ in },
      ]
      return { number in
        subject.send(number)
        clock.advance(by: 0.7)
        withExtendedLifetime(all) {}
      }
    },
    .init("subscribers of timed operators") {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      return { number in
        let all = [
          subject.receive(on: clock).sink { _ in }, subject.subscribe(on: clock).sink { _ in },
          subject.debounce(for: 1_000_000, scheduler: clock).sink { _ in },
          subject.timeout(1_000_000, scheduler: clock).sink { _ in },
          subject.collect(.byTime(clock, 1_000_000)).sink { _ in },
        ]
        clock.advance(by: 1)
        subject.send(number)
        for cancellable in all { cancellable.cancel() }
      }
    },
  ]
}

@Suite struct ComingAndGoingTests {
  /// In a process of its own, where no other test uses the heap.
  @Test func `What a publisher keeps does not depend on how often it has been joined and left`() async {
    await #expect(processExitsWith: .success) {
      let growing = Coming.growing(Coming.all)
      #expect(growing.isEmpty, "\(growing)")
    }
  }
}
