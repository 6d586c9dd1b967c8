// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// What happens to deliveries while there is work for them.
@Suite struct ExtensionTests {
  private let time = VirtualTimeScheduler()
  private let post = Post()
  private let work = Work()
  private let refused = Locked<[String]>([])

  private func letters(_ numbers: ClosedRange<Int>, deadline: Int = 10) -> some Publisher<Letter, Never> {
    numbers.publisher.map { [post] in Letter(post, $0, deadline: .seconds(deadline)) }
  }

  private var onRefusal: @Sendable (DeliveryError, Letter) -> Void {
    { [refused] error, letter in refused.change { $0.append("\(error.reason) \(letter.payload)") } }
  }

  /// Lets time pass up to the next extension, and waits until it has been answered.
  private func pass(_ seconds: Int, until words: [String]) async throws {
    // The extending task sleeps again when it has been answered.
    try await time.clock.sleepers(1)
    await time.advance(by: .seconds(seconds))
    #expect(await reached { post.words.sorted() == words.sorted() }, "\(post.words)")
    _ = post.take()
  }

  @Test func `One alarm serves all deliveries of a subscriber`() async throws {
    let probe = Probe<Int, Never>()
    letters(1...8).acknowledged(maxTasks: .max(8), clock: time.clock) { [work] letter in
      await work.run(letter.payload)
      return letter.payload
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 8 })
    for _ in 0..<3 { try await pass(5, until: (1...8).map { "extend \($0)" }) }
    try await time.clock.sleepers(1)
    #expect(time.pending.count == 1)
    for number in 1...8 { work.open(number) }
    #expect(await probe.completion() == .finished)
    #expect(await reached { time.pending.isEmpty })
    #expect(post.take().sorted() == (1...8).map { "ack \($0)" })
  }

  @Test func `Each delivery is extended by its own deadline`() async throws {
    let probe = Probe<Int, Never>()
    [Letter(post, 1, deadline: .seconds(20)), Letter(post, 2, deadline: .seconds(8))].publisher
      .append(Letter(post, 3))
      .acknowledged(maxTasks: .max(3), clock: time.clock) { [work] letter in
        await work.run(letter.payload)
        return letter.payload
      }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 3 })
    try await pass(4, until: ["extend 2"])
    try await pass(4, until: ["extend 2"])
    try await pass(2, until: ["extend 1"])
    work.open(2)
    #expect(await reached { probe.count == 1 })
    // The alarm rings for the second delivery once more, and finds nothing.
    _ = post.take()
    await time.advance(by: 2)
    try await pass(8, until: ["extend 1"])
    for number in [1, 3] { work.open(number) }
    #expect(await probe.completion() == .finished)
  }

  @Test func `A cancel leaves no alarm behind, when the work is over`() async throws {
    let probe = Probe<Int, Never>()
    letters(1...2).acknowledged(maxTasks: .max(2), clock: time.clock) { [work] letter in
      await work.run(letter.payload)
      return letter.payload
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 2 })
    try await time.clock.sleepers(1)
    probe.recorder.cancel()
    #expect(await reached { time.pending.isEmpty })
  }

  @Test(arguments: [DeliveryError.Reason.expired, .settled])
  func `Work whose delivery is lost is cancelled, and settles and publishes nothing`(
    _ reason: DeliveryError.Reason
  ) async throws {
    let probe = Probe<Int, Never>()
    post.refuse("extend 1", nil, reason)
    letters(1...2).acknowledged(maxTasks: .max(2), clock: time.clock, onRefusal: onRefusal) { [work] letter in
      await work.run(letter.payload)
      return letter.payload
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 2 })
    for _ in 0..<2 { try await pass(5, until: ["extend 1", "extend 2"]) }
    #expect(await reached { work.ended == [1] })
    try await pass(5, until: ["extend 2"])
    work.open(2)
    #expect(await probe.completion() == .finished)
    #expect(work.cancelled == [1] && probe.recorder.values == [2])
    #expect(post.words == ["ack 2"] && refused.value == ["\(reason) 1"])
  }

  @Test func `A failure of work whose delivery is lost settles nothing`() async throws {
    let probe = Probe<Int, Never>()
    post.refuse("extend 1", .expired)
    letters(1...1).acknowledged(
      clock: time.clock,
      onFailure: { _, _ in
        Issue.record("it has been asked")
        return .terminate
      }
    ) { [work] letter in
      await work.run(letter.payload)
      throw TestError.oops
    }.subscribe(probe.recorder)
    try await pass(5, until: ["extend 1"])
    #expect(await probe.completion() == .finished)
    #expect(work.cancelled == [1] && probe.count == 0 && post.words == [])
  }

  @Test func `A publisher whose delivery is lost is cancelled, and its slot is free`() async throws {
    let probe = Probe<Int, Never>()
    post.refuse("extend 1", .expired)
    let log = Locked<[String]>([])
    letters(1...2).acknowledged(maxPublishers: .max(1), clock: time.clock, onRefusal: onRefusal) { letter in
      letter.payload == 1
        ? PassthroughSubject<Int, Never>().handleEvents(receiveCancel: { log.change { $0.append("cancelled") } })
          .prepend(0).eraseToAnyPublisher()
        : Just(letter.payload).eraseToAnyPublisher()
    }.subscribe(probe.recorder)
    #expect(await probe.values(1) == [0])
    try await pass(5, until: ["extend 1", "ack 2"])
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [0, 2] && log.value == ["cancelled"])
    #expect(refused.value == ["expired 1"])
    #expect(await reached { time.pending.isEmpty })
  }

  @Test func `An extension that fails otherwise is tried again, until the deadline has passed`() async throws {
    let probe = Probe<Int, Never>()
    post.refuse("extend 1", .closed, nil, .closed, .refused, .closed)
    letters(1...1).acknowledged(
      extendingEvery: .seconds(4), clock: time.clock, onRefusal: onRefusal
    ) { [work] letter in
      await work.run(letter.payload)
      return letter.payload
    }.subscribe(probe.recorder)
    // Refused at 4 s, and accepted at 8 s. 20 s is 12 s after that, and it is not known who has the delivery.
    for _ in 0..<5 { try await pass(4, until: ["extend 1"]) }
    #expect(await reached { refused.value == ["closed 1", "closed 1", "refused 1", "closed 1"] })
    #expect(await reached { time.pending.isEmpty })
    // The broker decides what happens to an acknowledgement.
    work.open(1)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [1] && work.cancelled == [] && post.words == ["ack 1"])
  }

  @Test func `Of a batch, what is lost is not settled; when all is lost, its work is cancelled`() async throws {
    let probe = Probe<[Int], Never>()
    post.refuse("extend 1", .expired)
    post.refuse("extend 3", .expired)
    post.refuse("extend 4", nil, .settled)
    letters(1...4).collect(2).acknowledged(maxTasks: .max(2), clock: time.clock, onRefusal: onRefusal) { [work] batch in
      await work.run(batch[0].payload)
      return batch.map(\.payload)
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 2 })
    try await pass(5, until: (1...4).map { "extend \($0)" })
    try await pass(5, until: ["extend 2", "extend 4"])
    #expect(await reached { work.ended == [3] })
    work.open(1)
    #expect(await probe.completion() == .finished)
    #expect(work.cancelled == [3] && post.words == ["ack 2"] && probe.count == 0)
    #expect(refused.value.sorted() == ["expired 1", "expired 3", "settled 4"])
  }
}
