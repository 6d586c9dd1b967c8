// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ConcatenateTests {
  private func source(_ values: [Int]) -> AnyPublisher<Int, TestError> {
    Publishers.Sequence(sequence: values).eraseToAnyPublisher()
  }

  @Test(arguments: [[], [1], [1, 2, 3]], [[], [4], [4, 5]])
  func `Every form puts values behind or before`(_ first: [Int], _ second: [Int]) {
    var forms = [
      source(first).append(second).eraseToAnyPublisher(), source(first).append(source(second)).eraseToAnyPublisher(),
      source(second).prepend(first).eraseToAnyPublisher(), source(second).prepend(source(first)).eraseToAnyPublisher(),
      Publishers.Concatenate(prefix: source(first), suffix: source(second)).eraseToAnyPublisher(),
    ]
    if second == [4, 5] { forms.append(source(first).append(4, 5).eraseToAnyPublisher()) }
    if first == [1, 2, 3] { forms.append(source(second).prepend(1, 2, 3).eraseToAnyPublisher()) }
    for form in forms {
      for demand in [Subscribers.Demand.unlimited, .max(100)] {
        let recorder = Recorder<Int, TestError>(demand: demand)
        form.subscribe(recorder)
        #expect(recorder.values == first + second)
        #expect(recorder.completions == [.finished])
        #expect(recorder.subscriptionTexts == ["Concatenate"])
      }
    }
  }

  @Test func `What the prefix leaves outstanding is asked for from the suffix`() {
    for (requests, delivered, owed): ([Subscribers.Demand], Int, [Subscribers.Demand]) in [
      ([.max(2)], 1, [.max(1)]), ([.max(1), .max(2)], 1, [.max(2)]), ([.max(2)], 2, []),
      ([.unlimited], 3, [.unlimited]), ([], 0, []),
    ] {
      let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
      let recorder = Recorder<Int, TestError>(demand: nil)
      prefix.append(suffix).subscribe(recorder)
      requests.forEach(recorder.request)
      for value in 0..<delivered { prefix.send(value) }
      #expect(suffix.subscribers.isEmpty)
      prefix.send(completion: .finished)
      #expect(prefix.subscription?.requests == requests)
      #expect(suffix.subscription?.requests == owed)
      recorder.request(.max(7))
      #expect(suffix.subscription?.requests == owed + [.max(7)])
      #expect(prefix.subscription?.cancellations == 0)
    }
  }

  @Test func `Demand that is returned counts, and is returned to the prefix`() {
    let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    prefix.append(suffix).subscribe(recorder)
    #expect(prefix.send(1) == .max(2))
    prefix.send(completion: .finished)
    #expect(suffix.calls == [.requested(.max(2))])
    #expect(suffix.send(2) == .max(2))
  }

  @Test func `Demand returned to a delivery during which the prefix finished goes to the suffix`() {
    let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { value in
      if value == 1 { prefix.send(completion: .finished) }
      return .max(3)
    }
    prefix.append(suffix).subscribe(recorder)
    #expect(prefix.send(1) == .none)
    #expect(suffix.calls == [.requested(.max(3))])
  }

  @Test func `A value of the prefix that was not asked for is dropped, one of the suffix goes through`() {
    let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .none)
    prefix.append(suffix).subscribe(recorder)
    prefix.send(1)
    #expect(prefix.send(2) == .none)
    prefix.send(completion: .finished)
    suffix.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func `A failure of the prefix is the end, and the suffix is never subscribed to`() {
    let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>()
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(suffix.subscribers.isEmpty)
  }

  @Test(arguments: [false, true])
  func `The suffix's completion is the stream's`(_ fails: Bool) {
    let suffix = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    Empty<Int, TestError>().append(suffix).subscribe(recorder)
    suffix.send(completion: fails ? .failure(.oops) : .finished)
    suffix.send(completion: .finished)
    #expect(recorder.completions == [fails ? .failure(.oops) : .finished])
  }

  @Test func `A cancel goes to whichever is active, and keeps the other from starting`() {
    let (prefix, suffix) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>()
    prefix.append(suffix).subscribe(recorder)
    recorder.cancel()
    prefix.send(completion: .finished)
    #expect(prefix.subscription?.cancellations == 1)
    #expect(suffix.subscribers.isEmpty)
    let second = ManualPublisher<Int, TestError>()
    let other = Recorder<Int, TestError>()
    Empty<Int, TestError>().append(second).subscribe(other)
    other.cancel()
    #expect(second.subscription?.cancellations == 1)
  }

  @Test func `Between the two, requests add up and a cancel is remembered`() {
    for cancels in [false, true] {
      let suffix = ManualPublisher<Int, TestError>(subscription: nil)
      let prefix = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: .max(1))
      prefix.append(suffix).subscribe(recorder)
      prefix.send(completion: .finished)
      recorder.request(.max(2))
      if cancels { recorder.cancel() }
      let subscription = ManualSubscription()
      suffix.send(subscription: subscription)
      #expect(subscription.calls == (cancels ? [.cancelled] : [.requested(.max(3))]))
    }
  }

  @Test func `A cancel frees the suffix`() {
    var graveyard = Graveyard()
    let prefix = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    prefix.append(graveyard.watch(ManualPublisher<Int, TestError>(), "suffix")).subscribe(recorder)
    #expect(graveyard.survivors == ["suffix"])
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `An upstream that drops its subscriber leaves nothing in memory`() {
    var graveyard = Graveyard()
    let source = ManualPublisher<Int, TestError>()
    let streams = [
      source.append(1).eraseToAnyPublisher(), source.append(1).append(2).eraseToAnyPublisher(),
      source.append(1).eraseToAnyPublisher().append(2).eraseToAnyPublisher(),
      source.append(1).append(2).eraseToAnyPublisher().append(3).append(4).eraseToAnyPublisher(),
    ]
    for stream in streams {
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      stream.subscribe(recorder)
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.count == 4)
    source.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)
  }

  /// For every nesting, and for erased and unerased parts.
  @Test func `Nested concatenations deliver in order, with any demand`() {
    let part = { (index: Int) in self.source([index * 2, index * 2 + 1]) }
    let mixed = part(0).append(part(1).append(part(2))).append(part(3)).append(part(4).append(part(5)).append(part(6)))
    var left = part(0)
    var right = part(6)
    for index in 1...6 {
      left = left.append(part(index)).eraseToAnyPublisher()
      right = right.prepend(part(6 - index)).eraseToAnyPublisher()
    }
    for stream in [mixed.eraseToAnyPublisher(), left, right] {
      for answer in [Subscribers.Demand.none, .max(1)] {
        let recorder = Recorder<Int, TestError>(demand: .max(1), answering: answer)
        stream.subscribe(recorder)
        if answer == .none { for _ in 0..<20 { recorder.request(.max(1)) } }
        #expect(recorder.values == Array(0..<14))
        #expect(recorder.completions == [.finished])
        #expect(recorder.subscriptionTexts == ["Concatenate"])
      }
      let stopped = Recorder<Int, TestError>()
      stopped.onValue = { value in
        if value == 5 { stopped.cancel() }
        return .none
      }
      stream.subscribe(stopped)
      #expect(stopped.values == Array(0...5))
      #expect(stopped.completions.isEmpty)
    }
  }

  @Test func `A failure in the middle of nested concatenations ends them all`() {
    let never = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    source([1]).append(source([2]).append(Fail(error: .oops)).eraseToAnyPublisher()).append(never).subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(never.subscribers.isEmpty)
  }

  /// A part that passes its subscriber on twice: the second concatenation does not belong to this stream.
  @Test func `A part that subscribes twice is cancelled the second time`() {
    struct Twice: Publisher {
      typealias Output = Int
      typealias Failure = TestError
      let first: ManualPublisher<Int, TestError>
      let second: ManualPublisher<Int, TestError>
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
        first.subscribe(subscriber)
        second.append(9).subscribe(subscriber)
      }
    }
    let (first, second) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, TestError>()
    Twice(first: first, second: second).append(7).subscribe(recorder)
    #expect(first.calls == [.requested(.unlimited)])
    #expect(second.calls == [.cancelled])
  }

  @Test func `Equal if both parts are`() {
    typealias Pair = Publishers.Concatenate<Just<Int>, Just<Int>>
    #expect(Pair(prefix: Just(1), suffix: Just(2)) == Pair(prefix: Just(1), suffix: Just(2)))
    #expect(Pair(prefix: Just(1), suffix: Just(2)) != Pair(prefix: Just(1), suffix: Just(3)))
    #expect(Pair(prefix: Just(0), suffix: Just(2)) != Pair(prefix: Just(1), suffix: Just(2)))
  }
}
