// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Where published properties differ from Combine's on purpose.
///
/// Each test holds one difference, and says why.
@Suite struct StateDivergences {
  private final class Level {
    @Published var value = 0

    init() {}

    /// Takes over another one's wrapper.
    init(copying other: Level) { _value = other._value }
  }

  /// Combine stores when the set that began first ends, so the object keeps 20 here, though its subscribers were told
  /// 10 last.
  ///
  /// To tell them 20 again would go round for ever. Here the set that began last stays.
  @Test func `A published value set from inside of its own announcement stays`() {
    let level = Level()
    var told: [Int] = []
    let cancellable = level.$value.sink { value in
      told.append(value)
      if value > 10 { level.value = 10 }
    }
    level.value = 20
    #expect(told.last == 10)
    #expect(level.value == 10)
    cancellable.cancel()
  }

  /// Combine answers such a subscriber with the old value and leaves it there until the next set.
  @Test func `A subscriber that comes while a published value is announced gets the new value too`() {
    let level = Level()
    let late = Recorder<Int, Never>()
    let cancellable = level.$value.dropFirst().sink { value in
      if value == 1 { level.$value.subscribe(late) }
    }
    level.value = 1
    #expect(late.values == [0, 1])
    cancellable.cancel()
  }

  /// Combine blocks the second setter until the first one's subscribers have been told, which deadlocks two objects that
  /// set each other.
  ///
  /// Here the second value is stored at once, and told by the thread that is telling.
  @Test func `A published value set while another thread announces one is stored before it is told`() {
    final class Shared: @unchecked Sendable {
      let level = Level()
    }
    let shared = Shared()
    let told = Locked<[Int]>([])
    let cancellable = shared.level.$value.sink { value in
      told.change { $0.append(value) }
      guard value == 1 else { return }
      elsewhere {
        shared.level.value = 2
        #expect(shared.level.value == 2)
        #expect(told.value == [0, 1])
      }
    }
    shared.level.value = 1
    #expect(told.value == [0, 1, 2])
    cancellable.cancel()
  }

  /// The value of a wrapper is in an object, so that threads may share it.
  ///
  /// Combine copies it as long as nobody has looked at its publisher, and shares it from then on.
  @Test func `A copied wrapper shares its value`() {
    let level = Level()
    let copy = Level(copying: level)
    level.value = 3
    #expect(copy.value == 3)
  }

  /// An iterator that nobody can call any more would otherwise stay subscribed for as long as its publisher lives, which
  /// keeps a subscriber, and traps at the next value if that was asked for.
  @Test func `An asynchronous iterator cancels when it is freed`() {
    let upstream = ManualPublisher<Int, Never>()
    do {
      let iterator = upstream.values.makeAsyncIterator()
      withExtendedLifetime(iterator) {}
    }
    #expect(upstream.calls == [.cancelled])
  }

  /// Combine's `objectWillChange` does not count demand, and its `values` trap at what was not asked for: a loop over both
  /// stops the process as soon as two signals come close together.
  @Test func `A loop over objectWillChange loses the signals that it does not wait for`() async {
    let publisher = ObservableObjectPublisher()
    var direct = publisher.values.makeAsyncIterator()
    var mapped = publisher.map { 1 }.values.makeAsyncIterator()
    var handled = publisher.handleEvents(receiveOutput: {}).values.makeAsyncIterator()
    publisher.send()
    let bell = Task {
      while !Task.isCancelled {
        publisher.send()
        await Task.yield()
      }
    }
    #expect(await direct.next() != nil)
    #expect(await mapped.next() == 1)
    #expect(await handled.next() != nil)
    bell.cancel()
    await bell.value
    publisher.send()
  }

  /// Combine's operators that count demand trap, where they subtract one from nothing.
  @Test func `What an object's publisher sends unasked is dropped where demand is counted`() {
    let (publisher, recorder) = (ObservableObjectPublisher(), Recorder<Void, Never>(demand: .max(1)))
    publisher.retry(1).subscribe(recorder)
    for _ in 0..<3 { publisher.send() }
    #expect(recorder.values.count == 1)
    recorder.request(.max(1))
    publisher.send()
    #expect(recorder.values.count == 2)
  }
}
