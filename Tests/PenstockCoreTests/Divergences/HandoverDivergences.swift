// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between the operators that hand over, and `buffer`, and Combine's.
@Suite struct SequentialDivergences {
  /// Combine forgets it, and the replacement delivers to a subscriber that has cancelled.
  @Test func `catch remembers a cancel that comes while it waits for the replacement's subscription`() {
    let source = ManualPublisher<Int, TestError>()
    let replacement = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    source.catch { _ in replacement }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    recorder.cancel()
    let late = ManualSubscription()
    replacement.send(subscription: late)
    #expect(late.calls == [.cancelled])
    replacement.send(1)
    replacement.send(completion: .finished)
    #expect(recorder.events == [.subscription("Catch")])
  }

  /// In Combine the two deliveries overlap.
  @Test(arguments: ["append", "catch", "retry"])
  func `A successor on another thread waits for the delivery that its forerunner has ended in`(_ name: String) {
    let first = PassthroughSubject<Int, TestError>()
    let second = UncheckedBox(PassthroughSubject<Int, TestError>())
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      first.send(completion: name == "append" ? .finished : .failure(.oops))
      elsewhere { second.value.send(2) }
      #expect(recorder.values == [1])
      second.value.send(3)
      #expect(recorder.values == [1])
      return .none
    }
    var attempts = 0
    let attempt = Deferred {
      attempts += 1
      return attempts == 1 ? first : second.value
    }
    switch name {
    case "append": first.append(second.value).subscribe(recorder)
    case "catch": first.catch { _ in second.value }.subscribe(recorder)
    default: attempt.retry(1).subscribe(recorder)
    }
    first.send(1)
    #expect(recorder.values == [1, 2, 3])
  }

  /// In Combine each `append` is an operator of its own, with an identifier of its own.
  @Test func `Publishers appended one after the other are below one operator`() {
    let sources = (0..<3).map { _ in ManualPublisher<Int, TestError>() }
    let recorder = Recorder<Int, TestError>()
    sources[0].append(sources[1]).append(sources[2]).subscribe(recorder)
    for source in sources[..<2] { source.send(completion: .finished) }
    let identifiers = sources.map { $0.subscribers[0].combineIdentifier }
    #expect(Set(identifiers) == [recorder.subscriptions[0].combineIdentifier])
  }

  /// Combine frees it at the end or the cancel, which would require each value to take a reference under a lock.
  @Test func `retry keeps its subscriber until upstream releases the operator`() {
    var graveyard = Graveyard()
    let source = ManualPublisher<Int, TestError>()
    do {
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      source.retry(1).subscribe(recorder)
      recorder.dismiss()
    }
    #expect(graveyard.survivors == ["subscriber"])
    source.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)
  }

  /// Combine requests from upstream before it delivers the subscription, and forwards a resulting failure at once.
  @Test func `A failure does not reach the subscriber of a buffer before its subscription`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    Record<Int, TestError>(output: [1, 2], completion: .failure(.oops))
      .buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
    #expect(recorder.events == [.subscription("Buffer"), .completion(.failure(.oops))])
  }

  /// Combine takes as many values out of the queue as demand allows, and delivers them even if the stream ends
  /// meanwhile.
  @Test func `A buffer delivers nothing after a failure or a cancel inside of a delivery`() {
    for cancels in [false, true] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: nil)
      recorder.onValue = { value in
        guard value == 1 else { return .none }
        if cancels { recorder.cancel() } else { source.send(completion: .failure(.oops)) }
        return .none
      }
      source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
      for value in 1...3 { source.send(value) }
      recorder.request(.max(2))
      #expect(recorder.values == (cancels ? [1] : [1, 2]))
      #expect(recorder.completions == (cancels ? [] : [.failure(.oops)]))
      #expect(recorder.events.last == (cancels ? .value(1) : .completion(.failure(.oops))))
    }
  }

  /// Combine sends the failure first, and after it the values that it has taken out of the queue.
  @Test func `A failure of buffer comes behind what was asked for`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { value in
      if value == 1 { source.send(completion: .failure(.oops)) }
      return .none
    }
    source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    for value in 1...4 { source.send(value) }
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.events.last == .completion(.failure(.oops)))
  }

  /// Combine's requests one value for each one it delivers, even if upstream has ended.
  @Test func `A buffer asks nothing of an upstream that has ended`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    recorder.request(.unlimited)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
    #expect(source.calls == [.requested(.max(2))])
  }

  /// Combine calls it with its lock held, which stops the process.
  @Test func `The error closure of a buffer may use the buffer`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var made = 0
    subject.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        made += 1
        if made == 1 { subject.send(3) }
        recorder.request(.max(1))
        return .oops
      }
    ).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    recorder.request(.max(5))
    #expect(recorder.values.first == 1)
    #expect(recorder.completions == [.failure(.oops)])
  }

  /// Combine requests `.max(0)` from upstream, at which most publishers trap.
  @Test func `A buffer of size 0 does not ask upstream for nothing`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.buffer(size: 0, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("Buffer"), .completion(.finished)])
  }
}
