// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between published properties and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct StateDivergences {
  private final class Level {
    @Published var value = 0

    init() {}

    /// Copies another object's wrapper.
    init(copying other: Level) { _value = other._value }
  }

  /// Combine stores when the set that began first ends, so the object keeps 20 here, although its subscribers received
  /// 10 last.
  ///
  /// To send them 20 again would never end. Here the set that began last wins.
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

  /// Combine delivers the old value to such a subscriber, and nothing more until the next set.
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

  /// Combine blocks the second setter until the first one's subscribers have been notified, which deadlocks two objects
  /// that set each other.
  ///
  /// Here the second value is stored at once, and the notifying thread delivers it.
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

  /// The value of a wrapper is stored in an object, so that threads may share it.
  ///
  /// Combine copies it until its publisher is first used, and shares it from then on.
  @Test func `A copied wrapper shares its value`() {
    let level = Level()
    let copy = Level(copying: level)
    level.value = 3
    #expect(copy.value == 3)
  }

  /// An iterator without a reference would otherwise stay subscribed for the lifetime of its publisher, which keeps a
  /// subscriber, and traps at the next value if that was requested.
  @Test func `An asynchronous iterator cancels when it is freed`() {
    let upstream = ManualPublisher<Int, Never>()
    do {
      let iterator = upstream.values.makeAsyncIterator()
      withExtendedLifetime(iterator) {}
    }
    #expect(upstream.calls == [.cancelled])
  }

  /// Combine's `objectWillChange` does not count demand, and its `values` traps at a value without demand: a loop over
  /// both stops the process as soon as two signals arrive close together.
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

  /// Combine's operators that count demand trap, because they subtract one from zero.
  @Test(arguments: ["retry", "catch", "tryCatch", "replaceError", "switchToLatest", "drop until"], [false, true])
  func `What an object's publisher sends unasked is dropped where demand is counted`(_ name: String, _ isMapped: Bool) {
    let (publisher, recorder) = (ObservableObjectPublisher(), Recorder<Void, any Error>(demand: .max(1)))
    if isMapped {
      count(publisher.map { $0 }.handleEvents(receiveOutput: {}), name, recorder)
    } else {
      count(publisher, name, recorder)
    }
    if name == "drop until" {
      // Nothing but the trap would be seen of the values before the trigger.
      for _ in 0..<3 { publisher.send() }
      return #expect(recorder.values.isEmpty)
    }
    for _ in 0..<3 { publisher.send() }
    #expect(recorder.values.count == 1)
    recorder.request(.max(1))
    publisher.send()
    #expect(recorder.values.count == 2)
  }

  private func count(
    _ publisher: some Publisher<Void, Never>, _ name: String, _ recorder: Recorder<Void, any Error>
  ) {
    let failing = publisher.setFailureType(to: (any Error).self)
    switch name {
    case "retry": failing.retry(1).subscribe(recorder)
    case "catch": failing.catch { _ in Empty<Void, any Error>() }.subscribe(recorder)
    case "tryCatch": failing.tryCatch { _ in Empty<Void, any Error>() }.subscribe(recorder)
    case "replaceError": failing.replaceError(with: ()).setFailureType(to: (any Error).self).subscribe(recorder)
    case "switchToLatest":
      Just(()).setFailureType(to: (any Error).self).map { failing }.switchToLatest().subscribe(recorder)
    default: failing.drop(untilOutputFrom: Empty<Int, any Error>(completeImmediately: false)).subscribe(recorder)
    }
  }
}
