// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// What adapters wait with: calls that report to a closure, cancels, attempts, observers.
@Suite struct WaitingTests {
  private final class Listener: Sendable { let events = Locked<[Int]>([]) }

  @Test func `A cancel is heard before the call, during it, and once`() {
    let heard = Locked<[Int]>([])
    let early = Cancellation()
    early.cancel()
    early.onCancel { heard.change { $0.append(1) } }
    #expect(heard.value == [1])
    let late = Cancellation()
    late.onCancel { heard.change { $0.append(2) } }
    late.onCancel { heard.change { $0.append(3) } }
    #expect(heard.value == [1])
    late.cancel()
    #expect(heard.value == [1, 3])
  }

  @Test func `A task that waits is cancelled by what the call makes of that`() async {
    let hasBegun = Locked(false)
    let waiting = Task {
      await result { (cancellation, done: @escaping @Sendable (String) -> Void) in
        cancellation.onCancel { done("cancelled") }
        hasBegun.change { $0 = true }
      }
    }
    #expect(await reached { hasBegun.value })
    waiting.cancel()
    #expect(await waiting.value == "cancelled")
    #expect(await result { done in done(7) } == 7)
  }

  @Test func `A call is repeated while its failures allow that, and says how often`() async {
    let calls = Locked(0)
    let attempts = Attempts<Int, TestError>(3, mayRepeat: { $0 == .oops }) { _, done in
      let number = calls.change { count in
        count += 1
        return count
      }
      done(number == 2 ? .success(number) : .failure(.oops))
    }
    let (value, attempt) = await result { done in attempts.run { done(($0, $1)) } }
    #expect(value == .success(2) && attempt == 2)
    let hopeless = Attempts<Int, TestError>(2, mayRepeat: { _ in true }) { _, done in done(.failure(.oops)) }
    let (failure, last) = await result { done in hopeless.run { done(($0, $1)) } }
    #expect(failure == .failure(.oops) && last == 2)
    let final = Attempts<Int, TestError>(9, mayRepeat: { _ in false }) { _, done in done(.failure(.oops)) }
    let (_, only) = await result { done in final.run { done(($0, $1)) } }
    #expect(only == 1)
  }

  @Test func `A cancel ends the pause before the next attempt`() async {
    let calls = Locked(0)
    let attempts = Attempts<Int, TestError>(1_000, mayRepeat: { _ in true }) { _, done in
      calls.change { $0 += 1 }
      done(.failure(.oops))
    }
    let waiting = Task {
      await result { cancellation, done in attempts.run(1, cancellation) { done(($0, $1)) } }
    }
    #expect(await reached { calls.value >= 1 })
    waiting.cancel()
    let (failure, attempt) = await waiting.value
    #expect(failure == .failure(.oops) && attempt == calls.value)
  }

  @Test func `Observers hear events until they are removed or released`() {
    let observers = Observers<Int>()
    let (first, second) = (Listener(), Listener())
    weak var released: Listener?
    observers.add(first) { listener, event in listener.events.change { $0.append(event) } }
    observers.add(second) { listener, event in listener.events.change { $0.append(event) } }
    do {
      let third = Listener()
      released = third
      observers.add(third) { listener, event in listener.events.change { $0.append(event) } }
      observers.tell(1)
      #expect(third.events.value == [1])
    }
    #expect(released == nil)
    observers.remove(second)
    observers.tell(2)
    #expect(first.events.value == [1, 2] && second.events.value == [1])
  }

  @Test func `An outage counts from when somebody waits`() {
    var outage = Outage()
    let now = ContinuousClock.now
    #expect(!outage.isLonger(than: .zero) && outage.lossDate == nil)
    outage.begin(at: now - .seconds(9_000))
    outage.begin(at: now)
    #expect(outage.lossDate == now - .seconds(9_000) && !outage.isLonger(than: .zero), "nobody waits")
    outage.want(at: now - .seconds(6_000))
    outage.want(at: now)
    #expect(outage.isLonger(than: .seconds(6_000)) && !outage.isLonger(than: .seconds(9_000)))
    #expect(!outage.isLonger(than: nil))
    outage.end()
    #expect(!outage.isLonger(than: .zero) && outage.lossDate == nil)
  }

  @Test func `A tally says its number, and lets those who wait go at zero`() async {
    let tally = Tally()
    #expect(tally.add(2) == 2)
    let waiting = Task { await tally.waitForZero(until: .now + .seconds(3_600)) }
    tally.add(-1)
    #expect(tally.add(-1) == 0)
    await waiting.value
    tally.add(1)
    await tally.waitForZero(until: .now)
    #expect(tally.count == 1)
  }
}
