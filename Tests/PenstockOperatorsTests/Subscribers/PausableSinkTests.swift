// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct PausableSinkTests {
  @Test func `The lines of the tour`() {
    var lines: [String] = []
    let sink = (1...6).publisher.pausableSink(
      receiveCompletion: { lines.append("Pausable subscription completed: \($0)") },
      receiveValue: { value in
        lines.append("Receive value: \(value)")
        if value % 2 == 0 { return true }
        lines.append("Pausing")
        return false
      })
    while sink.paused {
      lines.append("Subscription is paused, resuming")
      sink.resume()
    }
    #expect(
      lines == [
        "Receive value: 1",
        "Pausing",
        "Subscription is paused, resuming",
        "Receive value: 2",
        "Receive value: 3",
        "Pausing",
        "Subscription is paused, resuming",
        "Receive value: 4",
        "Receive value: 5",
        "Pausing",
        "Subscription is paused, resuming",
        "Receive value: 6",
        "Pausable subscription completed: finished",
      ])
  }

  /// A sink with a publisher that is driven by hand.
  private final class Line {
    let publisher = ManualPublisher<Int, TestError>()
    var values: [Int] = []
    var completions: [Subscribers.Completion<TestError>] = []
    var answer: (Int) -> Bool = { _ in true }
    private(set) var sink: (any Pausable & Cancellable)!

    init(subscribing: Bool = true) {
      if !subscribing { publisher.subscription = nil }
      sink = publisher.pausableSink(
        receiveCompletion: { [unowned self] in completions.append($0) },
        receiveValue: { [unowned self] value in
          values.append(value)
          return answer(value)
        })
    }
  }

  @Test func `Values are asked for one by one`() {
    let line = Line()
    #expect(line.publisher.calls == [.requested(.max(1))])
    #expect(line.publisher.send(1) == .max(1))
    #expect(line.publisher.send(2) == .max(1))
    line.answer = { _ in false }
    #expect(line.publisher.send(3) == .none)
    #expect(line.sink.paused)
    #expect(line.publisher.calls == [.requested(.max(1))])
    line.sink.resume()
    #expect(!line.sink.paused)
    #expect(line.publisher.calls == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func `Resuming what runs, has ended or was cancelled does nothing`() {
    let line = Line()
    line.sink.resume()
    line.sink.resume()
    #expect(line.publisher.calls == [.requested(.max(1))])
    line.publisher.send(completion: .finished)
    line.sink.resume()
    #expect(!line.sink.paused)
    let cancelled = Line()
    cancelled.answer = { _ in false }
    cancelled.publisher.send(1)
    cancelled.sink.cancel()
    cancelled.sink.resume()
    #expect(!cancelled.sink.paused)
    #expect(cancelled.publisher.calls == [.requested(.max(1)), .cancelled])
  }

  @Test func `A value that was not asked for is ignored`() {
    let line = Line()
    line.answer = { _ in false }
    line.publisher.send(1)
    #expect(line.publisher.send(2) == .none)
    #expect(line.values == [1])
  }

  @Test(arguments: [true, false])
  func `The end comes whether it is paused or not`(_ isPaused: Bool) {
    let line = Line()
    line.answer = { _ in !isPaused }
    line.publisher.send(1)
    line.publisher.send(completion: .failure(.oops))
    line.publisher.send(completion: .finished)
    #expect(line.publisher.send(2) == .none)
    #expect(line.completions == [.failure(.oops)])
    #expect(line.values == [1])
  }

  // MARK: Pausing from outside

  @Test func `What has been asked for before a pause still comes, and nothing after it`() {
    let line = Line()
    line.sink.pause()
    #expect(line.sink.paused)
    #expect(line.publisher.send(1) == .none)
    #expect(line.values == [1])
    #expect(line.sink.paused)
    line.sink.resume()
    #expect(line.publisher.calls == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func `A pause that is taken back while a value is outstanding asks for no other`() {
    let line = Line()
    line.sink.pause()
    line.sink.resume()
    #expect(!line.sink.paused)
    #expect(line.publisher.calls == [.requested(.max(1))])
    #expect(line.publisher.send(1) == .max(1))
  }

  @Test func `A pause before the subscription asks for nothing, until it is taken back`() {
    let (line, other) = (Line(subscribing: false), Line(subscribing: false))
    let (subscription, second) = (ManualSubscription(), ManualSubscription())
    line.sink.pause()
    line.publisher.send(subscription: subscription)
    #expect(subscription.calls.isEmpty)
    line.sink.resume()
    #expect(subscription.calls == [.requested(.max(1))])
    other.sink.pause()
    other.sink.resume()
    #expect(!other.sink.paused)
    other.publisher.send(subscription: second)
    #expect(second.calls == [.requested(.max(1))])
  }

  @Test(arguments: [
    ("resume", false, Subscribers.Demand.max(1)), ("pause", true, .none), ("pause resume", false, .max(1)),
    ("resume pause", true, .none), ("", true, .max(1)), ("", false, .none),
  ])
  func `During a value the last call has the word`(_ calls: String, _ answer: Bool, _ demand: Subscribers.Demand) {
    let line = Line()
    line.answer = { [unowned line] _ in
      for call in calls.split(separator: " ") { call == "resume" ? line.sink.resume() : line.sink.pause() }
      return answer
    }
    #expect(line.publisher.send(1) == demand)
    #expect(line.sink.paused == (demand == .none))
    #expect(line.publisher.calls == [.requested(.max(1))])
  }

  @Test func `A conformance of somebody else's need not pause`() {
    struct Other: Pausable {
      var paused: Bool { true }
      func resume() {}
    }
    Other().pause()
    #expect(Other().paused)
  }

  // MARK: Cancelling

  @Test func `Cancels at any point`() {
    let line = Line()
    line.answer = { [unowned line] value in
      if value == 2 { line.sink.cancel() }
      return true
    }
    line.publisher.send(1)
    #expect(line.publisher.send(2) == .none)
    #expect(line.publisher.send(3) == .none)
    line.publisher.send(completion: .finished)
    #expect(line.values == [1, 2])
    #expect(line.completions.isEmpty)
    #expect(line.publisher.calls == [.requested(.max(1)), .cancelled])
    let early = Line(subscribing: false)
    early.sink.cancel()
    let subscription = ManualSubscription()
    early.publisher.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
  }

  @Test func `A second subscription is cancelled`() {
    let line = Line()
    let second = ManualSubscription()
    line.publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
  }

  @Test func `Dropping it does not cancel, and a store does`() {
    let source = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    func make() -> any Pausable & Cancellable {
      source.pausableSink(
        receiveCompletion: { _ in },
        receiveValue: {
          values.append($0)
          return true
        })
    }
    _ = make()
    source.send(1)
    #expect(values == [1])
    source.send(2)
    #expect(values == [1, 2])
    let other = PassthroughSubject<Int, Never>()
    var stored: Set<AnyCancellable> = []
    other.pausableSink(
      receiveCompletion: { _ in },
      receiveValue: {
        values.append($0)
        return true
      }
    ).store(in: &stored)
    other.send(3)
    stored = []
    other.send(4)
    #expect(values == [1, 2, 3])
  }

  @Test(arguments: ["cancel", "finish", "cancel while paused"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, Never>(), "source")
      let canary = graveyard.watch(Canary(), "closures")
      let sink = source.pausableSink(
        receiveCompletion: { _ in withExtendedLifetime(canary) {} },
        receiveValue: { _ in
          withExtendedLifetime(canary) {}
          return end != "cancel while paused"
        })
      graveyard.keepWatch(sink)
      source.send(1)
      if end == "finish" { source.send(completion: .finished) } else { sink.cancel() }
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A cancel frees the closures at once`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let sink: any Pausable & Cancellable
    do {
      let canary = graveyard.watch(Canary())
      sink = source.pausableSink(
        receiveCompletion: { _ in },
        receiveValue: { _ in
          withExtendedLifetime(canary) {}
          return true
        })
    }
    source.send(1)
    #expect(graveyard.survivors.count == 1)
    sink.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A completion frees the closures at once, though the sink is kept`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let sink: any Pausable & Cancellable
    do {
      let canaries = [graveyard.watch(Canary(), "values"), graveyard.watch(Canary(), "completion")]
      sink = source.pausableSink(
        receiveCompletion: { _ in withExtendedLifetime(canaries[1]) {} },
        receiveValue: { _ in
          withExtendedLifetime(canaries[0]) {}
          return true
        })
    }
    source.send(1)
    source.send(completion: .finished)
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(sink) {}
  }

  @Test func `Texts`() {
    let sink = Subscribers.PausableSink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in true })
    #expect(Shown(of: sink) == Shown("PausableSink", children: ["paused"]))
  }

  // MARK: Threads

  @Test func `A hundred thousand values do not grow the stack`() {
    onSmallStack {
      var count = 0
      let sink = (0..<100_000).publisher.pausableSink(
        receiveCompletion: { _ in },
        receiveValue: { value in
          count += 1
          return value % 2 == 0
        })
      while sink.paused { sink.resume() }
      #expect(count == 100_000)
    }
  }

  @Test func `No lock is held while a value is worked on`() {
    let source = PassthroughSubject<Int, Never>()
    let holder = Locked<UncheckedBox<any Pausable & Cancellable>?>(nil)
    var values: [Int] = []
    let sink = source.pausableSink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        values.append(value)
        elsewhere {
          holder.value?.value.pause()
          _ = holder.value?.value.paused
          holder.value?.value.resume()
          if value == 2 { holder.value?.value.cancel() }
        }
        return false
      })
    holder.change { $0 = UncheckedBox(sink) }
    source.send(1)
    // The other thread's resume takes effect when the value has been processed.
    #expect(!sink.paused)
    source.send(2)
    source.send(3)
    #expect(values == [1, 2])
  }

  @Test func `Whatever threads pause and resume, values come one at a time and none is asked for twice`() {
    for _ in 0..<20 {
      let count = Locked(0)
      let running = Locked(0)
      let overlaps = Locked(0)
      let done = Locked(false)
      let sink = UncheckedBox(
        (0..<2_000).publisher.map { $0 }.pausableSink(
          receiveCompletion: { _ in done.change { $0 = true } },
          receiveValue: { value in
            let inside = running.change { running in
              running += 1
              return running
            }
            if inside != 1 { overlaps.change { $0 += 1 } }
            count.change { $0 += 1 }
            running.change { $0 -= 1 }
            return value % 3 != 0
          }))
      onThreads(3) { index in
        while !done.value {
          if index == 0 { sink.value.pause() }
          sink.value.resume()
        }
      }
      #expect(count.value == 2_000)
      #expect(overlaps.value == 0)
    }
  }
}

extension Graveyard {
  /// Watches a value that may be an object.
  fileprivate mutating func keepWatch(_ object: any Pausable & Cancellable) {
    _ = watch(object as AnyObject, "sink")
  }
}
