// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct UsingAsyncTests {
  private let log = Locked<[String]>([])

  private func note(_ text: String) { log.change { $0.append(text) } }

  private func using<P: Publisher>(_ publisher: P) -> some Publisher<P.Output, P.Failure> where P.Failure: Sendable {
    let log = log
    return Publishers.using { () async throws(P.Failure) -> Int in
      log.change { $0.append("acquire") }
      return 1
    } releasing: { _ in
      log.change { $0.append("release") }
      await Task.yield()
      log.change { $0.append("released") }
    } publisher: { _ in
      publisher
    }
  }

  @Test func `The end comes when the resource has been released`() async {
    for await value in using([1, 2].publisher).values { note("\(value)") }
    note("end")
    // Upstream ends with its last value, which may still be on its way to the loop while the resource is being released.
    #expect(log.value.filter { Int($0) == nil } == ["acquire", "release", "released", "end"])
    #expect(log.value.filter { Int($0) != nil } == ["1", "2"])
  }

  @Test func `A failure comes when the resource has been released, and an attempt begins after that`() async {
    do {
      for try await _ in using(Fail<Int, TestError>(error: .oops)).retry(1).values {}
    } catch {
      note("\(error)")
    }
    #expect(log.value == ["acquire", "release", "released", "acquire", "release", "released", "\(TestError.oops)"])
  }

  @Test func `Without a resource there is nothing to release`() async {
    let log = log
    let failing = Publishers.using { () async throws(TestError) -> Int in
      throw .oops
    } releasing: { _ in
      log.change { $0.append("release") }
    } publisher: { _ in
      Empty<Int, TestError>()
    }
    await #expect(throws: TestError.oops) { for try await _ in failing.values {} }
    #expect(log.value == [])
  }

  @Test func `A cancel releases the resource, once`() async {
    let (subject, released) = (PassthroughSubject<Int, Never>(), AsyncStream<Void>.makeStream())
    let begun = AsyncStream<Void>.makeStream()
    let count = Locked(0)
    let publisher = Publishers.using { () async -> Int in
      1
    } releasing: { _ in
      count.change { $0 += 1 }
      released.continuation.yield()
    } publisher: { _ in
      subject.handleEvents(receiveSubscription: { _ in begun.continuation.yield() })
    }
    let cancellable = publisher.sink { _ in }
    for await _ in begun.stream { break }
    #expect(count.value == 0)
    cancellable.cancel()
    for await _ in released.stream { break }
    cancellable.cancel()
    subject.send(completion: .finished)
    #expect(count.value == 1)
  }

  @Test func `A cancel while the resource is acquired cancels that, and releases what comes all the same`() async {
    let (acquiring, released) = (AsyncStream<Void>.makeStream(), AsyncStream<Bool>.makeStream())
    let made = Locked(0)
    let publisher = Publishers.using { () async -> Bool in
      acquiring.continuation.yield()
      // Suspended until the task is cancelled.
      let (stream, _) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      return Task.isCancelled
    } releasing: { wasCancelled in
      released.continuation.yield(wasCancelled)
    } publisher: { _ in
      made.change { $0 += 1 }
      return Just(1)
    }
    let recorder = Recorder<Int, Never>()
    publisher.subscribe(recorder)
    for await _ in acquiring.stream { break }
    recorder.cancel()
    for await wasCancelled in released.stream {
      #expect(wasCancelled)
      break
    }
    #expect(recorder.values == [] && recorder.completions == [] && made.value == 0)
  }

  @Test func `A cancel while the resource is released does not stop that, and no end comes`() async {
    let (releasing, released) = (AsyncStream<Void>.makeStream(), AsyncStream<Bool>.makeStream())
    let goOn = AsyncStream<Void>.makeStream()
    let publisher = Publishers.using { () async -> Int in
      1
    } releasing: { _ in
      releasing.continuation.yield()
      for await _ in goOn.stream { break }
      released.continuation.yield(Task.isCancelled)
    } publisher: { _ in
      Just(1)
    }
    let recorder = Recorder<Int, Never>()
    publisher.subscribe(recorder)
    for await _ in releasing.stream { break }
    #expect(recorder.values == [1] && recorder.completions == [])
    recorder.cancel()
    goOn.continuation.yield()
    for await isCancelled in released.stream {
      #expect(!isCancelled)
      break
    }
    #expect(recorder.completions == [])
  }

  @Test func `Nothing is acquired before a subscription, and demand is passed`() async {
    let upstream = ManualPublisher<Int, Never>()
    let begun = AsyncStream<Void>.makeStream()
    let publisher = using(upstream.handleEvents(receiveRequest: { _ in begun.continuation.yield() }))
    #expect(log.value == [])
    let recorder = Recorder<Int, Never>(demand: .max(2))
    publisher.subscribe(recorder)
    for await _ in begun.stream { break }
    #expect(upstream.calls == [.requested(.max(2))])
    recorder.cancel()
    #expect(upstream.calls == [.requested(.max(2)), .cancelled])
  }

  // MARK: Cancel, then release

  /// The ways in which a stream is cancelled.
  enum Way: CaseIterable {
    case cancel, drop, prefix, withinTheValue
  }

  /// Gives a release that begins too early a chance to be noticed, and records a cancel.
  private func noteCancel() {
    for _ in 0..<20_000 where log.value.isEmpty {}
    note("cancelled")
  }

  @Test(arguments: Way.allCases)
  func `A cancel reaches the publisher before its resource is released`(_ way: Way) async {
    let (log, upstream, held) = (log, ManualPublisher<Int, Never>(), Locked<AnyCancellable?>(nil))
    upstream.subscription?.onCancel = { noteCancel() }
    let publisher = Publishers.using {
      () async -> Int in
      1
    } releasing: { _ in
      log.change { $0.append("released") }
    } publisher: { _ in
      upstream
    }
    let isHere = way == .withinTheValue
    held.change {
      $0 =
        way == .prefix
        ? publisher.prefix(1).sink { _ in }
        : publisher.sink { _ in if isHere { held.value?.cancel() } }
    }
    #expect(await reached { !upstream.calls.isEmpty })
    switch way {
    case .cancel: held.value?.cancel()
    case .drop: held.change { $0.take() }?.cancel()
    case .prefix, .withinTheValue: upstream.send(1)
    }
    #expect(await reached { log.value.count == 2 })
    #expect(log.value == ["cancelled", "released"])
  }

  @Test func `A cancel within the values that come while the publisher is subscribed to`() async {
    let log = log
    let cancellable = Publishers.using {
      () async -> Int in
      1
    } releasing: { _ in
      log.change { $0.append("released") }
    } publisher: { _ in
      (1...100).publisher.handleEvents(receiveCancel: { noteCancel() })
    }.prefix(3).sink { note("\($0)") }
    #expect(await reached { log.value.last == "released" })
    #expect(log.value == ["1", "2", "3", "cancelled", "released"])
    cancellable.cancel()
  }

  @Test func `A cancel while the publisher is made lets it be made, cancels it, and releases the resource after that`()
    async
  {
    let (log, upstream, held, isReady) = (
      log, ManualPublisher<Int, Never>(), Locked<AnyCancellable?>(nil), AsyncStream<Void>.makeStream()
    )
    upstream.subscription?.onCancel = { note("cancelled") }
    let cancellable = Publishers.using { () async -> Int in
      for await _ in isReady.stream { break }
      return 1
    } releasing: { _ in
      log.change { $0.append("released") }
    } publisher: { _ in
      held.value?.cancel()
      for _ in 0..<20_000 where log.value.isEmpty {}
      note("made")
      return upstream
    }.sink { _ in }
    held.change { $0 = cancellable }
    isReady.continuation.yield()
    #expect(await reached { log.value.contains("released") })
    #expect(log.value == ["made", "cancelled", "released"])
    #expect(upstream.calls == [.cancelled])
  }

  @Test func `Beside a sender on another thread no more than the value on its way comes after the release`() async {
    for _ in 0..<50 {
      let (subject, isReleased, late, isOver) = (
        PassthroughSubject<Int, Never>(), Locked(false), Locked(0), Locked(false)
      )
      let begun = Locked(false)
      let cancellable = Publishers.using {
        () async -> Int in
        1
      } releasing: { _ in
        isReleased.change { $0 = true }
      } publisher: { _ in
        subject.handleEvents(
          receiveOutput: { _ in if isReleased.value { late.change { $0 += 1 } } },
          receiveCancel: { for _ in 0..<2_000 where !isReleased.value {} },
          receiveRequest: { _ in begun.change { $0 = true } })
      }.sink { _ in }
      #expect(await reached { begun.value })
      let sender = UncheckedBox(subject)
      onThreads([
        { while !isOver.value { sender.value.send(1) } },
        {
          cancellable.cancel()
          isOver.change { $0 = true }
        },
      ])
      #expect(await reached { isReleased.value })
      #expect(late.value <= 1)
    }
  }

  @Test func `A publisher that drops its subscriber without an end has its resource released`() async {
    let (log, upstream) = (log, ManualPublisher<Int, Never>())
    do {
      let recorder = Recorder<Int, Never>()
      Publishers.using {
        () async -> Int in
        1
      } releasing: { _ in
        log.change { $0.append("released") }
      } publisher: { _ in
        upstream
      }.subscribe(recorder)
      #expect(await reached { upstream.subscribers.count == 1 })
      #expect(log.value == [])
      recorder.releaseSubscriptions()
    }
    upstream.releaseSubscribers()
    #expect(await reached { log.value == ["released"] })
  }
}
