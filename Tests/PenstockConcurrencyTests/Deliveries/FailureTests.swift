// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

private struct Overloaded: RetryAfterError { let retryAfter: Duration }

/// What happens to deliveries whose work fails, is cut off, or is not accepted.
@Suite struct FailureTests {
  private let time = VirtualTimeScheduler()
  private let post = Post()

  // MARK: Waits

  @Test func `A wait doubles with each attempt, up to a ceiling`() {
    let waits = (0...9).map { DeliveryDisposition.backoff(attempt: $0) }
    #expect(waits == [1, 1, 2, 4, 8, 16, 32, 60, 60, 60].map { .nak(after: .seconds($0)) })
    #expect(DeliveryDisposition.backoff(attempt: .max) == .nak(after: .seconds(60)))
    #expect(
      DeliveryDisposition.backoff(attempt: 3, initial: .milliseconds(1), ceiling: .milliseconds(3))
        == .nak(after: .milliseconds(3)))
    #expect(DeliveryDisposition.backoff(attempt: 9, initial: .zero) == .nak(after: .zero))
    #expect(DeliveryDisposition.backoff(attempt: 1, initial: .seconds(90)) == .nak(after: .seconds(60)))
    let longest = Duration.seconds(Int64.max)
    #expect(DeliveryDisposition.backoff(attempt: .max, ceiling: longest) == .nak(after: longest))
  }

  @Test func `An error names the wait itself, beyond the ceiling, too`() {
    for (wait, given) in [(7, 7), (600, 600), (-1, 0)] {
      #expect(
        DeliveryDisposition.backoff(after: Overloaded(retryAfter: .seconds(wait)), attempt: 4)
          == .nak(after: .seconds(given)))
    }
    #expect(DeliveryDisposition.backoff(after: TestError.oops, attempt: 4) == .nak(after: .seconds(8)))
  }

  @Test func `Work that fails has its delivery back after a wait that doubles, or that its error names`() async throws {
    let errors: [any Error] = [TestError.oops, Overloaded(retryAfter: .seconds(70))]
    for attempt in 1...3 {
      for (error, wait) in zip(errors, [1 << (attempt - 1), 70]) {
        let letter = Letter(post, 1, attempt: attempt)
        let probe = Probe<Int, Never>()
        Just(letter).acknowledged(clock: time.clock) { _ -> Int in throw error }.subscribe(probe.recorder)
        #expect(await probe.completion() == .finished)
        #expect(post.take() == ["nak 1, \(Duration.seconds(wait))"])
        let publishers = Probe<Int, Never>()
        Just(letter).sendable.acknowledged(maxPublishers: .max(1), clock: time.clock) { _ in
          Fail<Int, any Error>(error: error).sendable
        }.publisher.subscribe(publishers.recorder)
        #expect(await publishers.completion() == .finished)
        #expect(post.take() == ["nak 1, \(Duration.seconds(wait))"])
        // A batch waits as long as its most often tried delivery has to.
        let batches = Probe<Int, Never>()
        [letter, Letter(post, 2)].publisher.collect(2).sendable
          .acknowledged(clock: time.clock) { _ -> Int in throw error }.publisher.subscribe(batches.recorder)
        #expect(await batches.completion() == .finished)
        #expect(post.take() == [1, 2].map { "nak \($0), \(Duration.seconds(wait))" })
      }
    }
  }

  @Test func `A queue delivers again what has failed when the wait is over`() async throws {
    let queue = DeliveryQueue<Int>(capacity: 1, deadline: .seconds(100), clock: time.clock)
    try await queue.publish(7)
    queue.finish()
    let attempts = Locked<[Int]>([])
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(clock: time.clock) { delivery in
      attempts.change { $0.append(delivery.attempt) }
      if delivery.attempt < 4 { throw TestError.oops }
      return delivery.payload
    }.subscribe(probe.recorder)
    for (attempt, wait) in [(1, 1), (2, 2), (3, 4)] {
      #expect(await reached { attempts.value.count == attempt && queue.counts.waiting == 1 })
      await time.advance(by: .milliseconds(wait * 1_000 - 1))
      #expect(queue.counts.waiting == 1)
      await time.advance(by: .milliseconds(1))
    }
    #expect(await probe.completion() == .finished)
    #expect(attempts.value == [1, 2, 3, 4] && probe.recorder.values == [7])
  }

  // MARK: Cancels

  enum Cut: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case cancellation = "what a cancel cuts off is given back at once"
    case another = "what fails in another way is up to onFailure, cancelled or not"
    case own = "a cancellation of the work's own is a failure"

    var testDescription: String { rawValue }
  }

  @Test(arguments: Cut.allCases)
  func `A cancel is told from a failure`(_ cut: Cut) async throws {
    let (work, probe) = (Work(), Probe<Int, Never>())
    Just(Letter(post, 1)).append(Empty(completeImmediately: false)).acknowledged(
      clock: time.clock, onFailure: { error, _ in error is CancellationError ? .nak(after: .seconds(3)) : .terminate }
    ) { letter -> Int in
      await work.run(1)
      if cut == .another { throw TestError.oops }
      throw CancellationError()
    }.subscribe(probe.recorder)
    #expect(await reached { work.started == [1] })
    if cut == .own { work.open(1) } else { probe.recorder.cancel() }
    #expect(await reached { post.words.count == 1 })
    let words = [Cut.cancellation: "nak 1", .another: "terminate 1", .own: "nak 1, \(Duration.seconds(3))"]
    #expect(post.words == [words[cut]])
    probe.recorder.cancel()
  }

  @Test func `A delivery whose work had not begun is given back as not tried`() async throws {
    // Whether a task begins before a cancel is up to the machine, so this repeats until both cases have been seen.
    var untried = 0
    let begun = Locked(0)
    for round in 1... {
      begun.change { $0 = 0 }
      let subject = PassthroughSubject<Letter, Never>()
      let probe = Probe<Int, Never>()
      subject.acknowledged(clock: time.clock) { _ -> Int in
        begun.change { $0 += 1 }
        for await _ in Empty<Never, Never>(completeImmediately: false).values {}
        throw CancellationError()
      }.subscribe(probe.recorder)
      subject.send(Letter(post, round))
      if round.isMultiple(of: 2) { #expect(await reached { begun.value == 1 }) }
      probe.recorder.cancel()
      #expect(await reached { !post.words.isEmpty })
      #expect(post.take() == [begun.value == 1 ? "nak \(round)" : "give back \(round)"])
      if begun.value == 0 { untried += 1 }
      try #require(round < 100_000)
      if untried > 0, round > 1 { break }
    }
  }

  @Test func `What is given back as not tried comes again as the same attempt, and its delivery has no say any more`()
    async throws
  {
    let desk = Desk()
    try await desk.publish(1...1)
    let first = try await desk.last(of: 1)
    try await first.giveBack()
    let second = try await desk.last(of: 2)
    #expect(second.attempt == 1)
    await #expect(throws: DeliveryError.self) { try await first.ack() }
    await #expect(throws: DeliveryError.self) { try await first.giveBack() }
    try await second.nak(after: nil)
    let third = try await desk.last(of: 3)
    #expect(third.attempt == 2)
    try await third.giveBack()
    let fourth = try await desk.last(of: 4)
    #expect(fourth.attempt == 2)
    try await fourth.ack()
    #expect(desk.queue.counts.acknowledged == 1 && desk.queue.counts.unsettled == 0)
  }

  @Test func `A delivery that says nothing else counts what is given back`() async throws {
    struct Plain: Delivery {
      let letter: Letter
      var payload: Int { letter.payload }
      var subject: String { "" }
      var headers: [String: String] { [:] }
      var attempt: Int { 1 }
      var age: Duration { .zero }
      var deadline: Duration? { nil }
      func ack() async throws(DeliveryError) {}
      func nak(after delay: Duration?) async throws(DeliveryError) { try await letter.nak(after: delay) }
      func extend() async throws(DeliveryError) {}
      func terminate() async throws(DeliveryError) {}
    }
    let plain = Plain(letter: Letter(post, 1, maxAttempts: 7))
    try await plain.giveBack()
    #expect(post.words == ["nak 1"] && plain.maxAttempts == nil)
  }

  // MARK: Refusals

  @Test func `Whoever asks hears of what is refused, and its result is not published`() async throws {
    post.refuse("ack 1", .expired)
    post.refuse("ack 2", .closed)
    post.refuse("nak 3", .expired)
    let refused = Locked<[String]>([])
    let onRefusal: @Sendable (DeliveryError, Letter) -> Void = { error, letter in
      refused.change { $0.append("\(error.reason) \(letter.payload)") }
    }
    let onFailure: @Sendable (any Error, Letter) -> DeliveryDisposition = { _, _ in .nak() }
    let letters = (1...6).publisher.map { [post] in Letter(post, $0) }
    let probes = (0..<3).map { _ in Probe<[Int], Never>() }
    letters.prefix(4).acknowledged(clock: time.clock, onFailure: onFailure, onRefusal: onRefusal) { letter -> [Int] in
      if letter.payload == 3 { throw TestError.oops }
      return [letter.payload]
    }.subscribe(probes[0].recorder)
    #expect(await probes[0].completion() == .finished)
    #expect(probes[0].recorder.values == [[4]])
    #expect(refused.value == ["expired 1", "closed 2", "expired 3"])
    // What a publisher has published before has been delivered; its batch has not.
    post.refuse("ack 5", .refused)
    letters.dropFirst(4).prefix(1).acknowledged(maxPublishers: .max(1), clock: time.clock, onRefusal: onRefusal) {
      Just([$0.payload])
    }.subscribe(probes[1].recorder)
    #expect(await probes[1].completion() == .finished)
    #expect(probes[1].recorder.values == [[5]])
    post.refuse("ack 6", .refused)
    letters.dropFirst(4).collect(2).acknowledged(clock: time.clock, onRefusal: onRefusal) { $0.map(\.payload) }
      .subscribe(probes[2].recorder)
    #expect(await probes[2].completion() == .finished)
    #expect(probes[2].recorder.values == [])
    #expect(refused.value.dropFirst(3) == ["refused 5", "refused 6"])
  }
}
