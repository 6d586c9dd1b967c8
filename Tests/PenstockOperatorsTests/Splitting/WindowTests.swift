// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// An operator that divides a stream into windows, and a way to end a window with two values.
struct Windower: CustomTestStringConvertible, Sendable {
  typealias Windows = AnyPublisher<AnyPublisher<Int, TestError>, TestError>

  let name: String
  let apply:
    @Sendable (AnyPublisher<Int, TestError>, ManualPublisher<Void, TestError>, VirtualTimeScheduler<VirtualTime, Never>)
      -> Windows

  var testDescription: String { name }

  static let all = [
    Windower(name: "window(count:)") { source, _, _ in source.window(count: 2).eraseToAnyPublisher() },
    Windower(name: "window(until:)") { source, signal, _ in source.window(until: signal).eraseToAnyPublisher() },
    Windower(name: "window(for:)") { source, _, clock in source.window(for: 1, scheduler: clock).eraseToAnyPublisher()
    },
  ]
}

/// An operator of windows between a publisher driven by hand and recorders.
final class WindowBench {
  typealias Reader = Recorder<Int, TestError>

  let windower: Windower
  let source = ManualPublisher<Int, TestError>()
  let signal = ManualPublisher<Void, TestError>()
  let clock = VirtualTimeScheduler()
  let windows: Recorder<AnyPublisher<Int, TestError>, TestError>

  init(_ windower: Windower, demand: Subscribers.Demand? = .unlimited) {
    self.windower = windower
    windows = Recorder(demand: demand)
    windower.apply(source.eraseToAnyPublisher(), signal, clock).subscribe(windows)
  }

  /// How many values have been requested and not been sent.
  var outstanding: Int { source.subscription!.requests.reduce(answered) { $0 + $1.max! } - sent }

  private var answered = 0
  private var sent = 0

  func send(_ value: Int) {
    sent += 1
    answered += source.send(value).max!
  }

  /// Ends the window, which has two values.
  func endWindow() {
    if signal.subscribers.isEmpty { clock.advance(by: 1) } else { signal.send(()) }
  }

  /// Sends two values, and ends their window.
  func sendWindow(_ first: Int) {
    send(first)
    send(first + 1)
    endWindow()
  }

  func subscribe(to number: Int, demand: Subscribers.Demand? = .unlimited) -> Reader {
    let reader = Reader(demand: demand)
    windows.values[number].subscribe(reader)
    return reader
  }
}

@Suite struct WindowTests {
  @Test(arguments: Windower.all)
  func `Each window publishes its values as they come, and finishes`(_ windower: Windower) {
    let bench = WindowBench(windower)
    var readers: [WindowBench.Reader] = []
    bench.windows.onValue = { window in
      readers.append(WindowBench.Reader())
      window.subscribe(readers.last!)
      return .none
    }
    bench.send(1)
    #expect(readers.map(\.values) == [[1]])
    bench.send(2)
    bench.endWindow()
    #expect(readers.map(\.values) == [[1, 2]] && readers[0].isFinished)
    bench.send(3)
    #expect(readers.map(\.values) == [[1, 2], [3]])
    bench.source.send(completion: .finished)
    #expect(readers.allSatisfy { $0.isFinished && $0.complaints.isEmpty } && bench.windows.isFinished)
  }

  @Test(arguments: Windower.all)
  func `A window is published with its first value, which waits; nothing else is asked for until it is taken`(
    _ windower: Windower
  ) {
    let bench = WindowBench(windower, demand: nil)
    #expect(bench.outstanding == 0)
    bench.windows.request(.max(1))
    #expect(bench.outstanding == 1)
    bench.send(1)
    #expect(bench.windows.values.count == 1 && bench.outstanding == 0)
    let reader = bench.subscribe(to: 0, demand: nil)
    #expect(reader.values.isEmpty && bench.outstanding == 0)
    reader.request(.max(1))
    #expect(reader.values == [1] && bench.outstanding == 1)
    bench.send(2)
    #expect(reader.values == [1] && bench.outstanding == 0)
    reader.request(.max(5))
    bench.endWindow()
    #expect(reader.values == [1, 2] && reader.isFinished)
    // The value that was requested while the window was open is still to come.
    #expect(bench.outstanding == (windower.name == "window(count:)" ? 0 : 1))
    bench.windows.request(.max(1))
    #expect(bench.outstanding == 1)
    #expect(reader.complaints.isEmpty && bench.windows.complaints.isEmpty)
  }

  @Test(arguments: Windower.all)
  func `A window that nobody subscribes to holds upstream, however many are wanted`(_ windower: Windower) {
    let bench = WindowBench(windower)
    #expect(bench.outstanding == 2)
    bench.send(1)
    bench.endWindow()
    #expect(bench.outstanding == 1 && bench.windows.values.count == 1)
    bench.send(2)
    #expect(bench.outstanding == 0)
    let reader = bench.subscribe(to: 0)
    #expect(reader.values.first == 1)
  }

  @Test(arguments: Windower.all)
  func `A window that is released without a subscriber is skipped, up to its end`(_ windower: Windower) {
    let (source, signal, clock) = (
      ManualPublisher<Int, TestError>(), ManualPublisher<Void, TestError>(), VirtualTimeScheduler()
    )
    var (count, received): (Int, [Int]) = (0, [])
    let cancellable = windower.apply(source.eraseToAnyPublisher(), signal, clock)
      .compactMap { window in
        count += 1
        return count == 1 ? nil : window
      }
      .flatMap { $0 }
      .sink { _ in
      } receiveValue: {
        received.append($0)
      }
    for value in [1, 3, 5] {
      #expect(source.send(value) == .max(1))
      #expect(source.send(value + 1) == .max(1))
      if signal.subscribers.isEmpty { clock.advance(by: 1) } else { signal.send(()) }
    }
    #expect(received == [3, 4, 5, 6] && count == 3)
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: Windower.all)
  func `A window that is cancelled is skipped, up to its end`(_ windower: Windower) {
    let bench = WindowBench(windower)
    bench.send(1)
    let reader = bench.subscribe(to: 0)
    reader.cancel()
    #expect(bench.outstanding == 2)
    bench.send(2)
    bench.endWindow()
    #expect(bench.windows.values.count == 1 && bench.outstanding == 2)
    bench.send(3)
    #expect(bench.windows.values.count == 2)
    #expect(reader.values == [1] && reader.complaints.isEmpty)
    #expect(bench.subscribe(to: 1).values == [3])
  }

  @Test(arguments: Windower.all)
  func `A window waits until it is requested, and upstream with it`(_ windower: Windower) {
    let bench = WindowBench(windower, demand: .max(1))
    bench.send(1)
    let first = bench.subscribe(to: 0)
    bench.send(2)
    bench.endWindow()
    #expect(first.isFinished && bench.outstanding == (windower.name == "window(count:)" ? 0 : 1))
    if bench.outstanding == 1 { bench.send(3) }
    #expect(bench.windows.values.count == 1 && bench.outstanding == 0)
    bench.windows.request(.max(1))
    if windower.name == "window(count:)" { bench.send(3) }
    #expect(bench.windows.values.count == 2)
    #expect(bench.subscribe(to: 1).values == [3])
  }

  @Test(arguments: Windower.all)
  func `What waits is delivered before the end`(_ windower: Windower) {
    let bench = WindowBench(windower)
    bench.send(1)
    bench.source.send(completion: .finished)
    #expect(bench.windows.isFinished)
    let reader = bench.subscribe(to: 0, demand: nil)
    #expect(reader.completions.isEmpty)
    reader.request(.max(1))
    #expect(reader.values == [1] && reader.isFinished)
  }

  @Test(arguments: Windower.all)
  func `The end waits behind a window that has not been requested`(_ windower: Windower) {
    let bench = WindowBench(windower, demand: .max(1))
    bench.send(1)
    let first = bench.subscribe(to: 0)
    bench.send(2)
    bench.endWindow()
    if bench.outstanding == 0 { return }
    bench.send(3)
    bench.source.send(completion: .finished)
    #expect(first.isFinished && bench.windows.completions.isEmpty)
    bench.windows.request(.max(1))
    #expect(bench.windows.isFinished)
    let second = bench.subscribe(to: 1)
    #expect(second.values == [3] && second.isFinished)
  }

  @Test(arguments: Windower.all)
  func `A failure ends everything at once, and drops what waits`(_ windower: Windower) {
    let bench = WindowBench(windower)
    bench.send(1)
    let reader = bench.subscribe(to: 0, demand: nil)
    bench.source.send(completion: .failure(.oops))
    #expect(reader.values.isEmpty && reader.completions == [.failure(.oops)])
    #expect(bench.windows.completions == [.failure(.oops)])
    let late = WindowBench(windower)
    late.send(1)
    late.source.send(completion: .failure(.oops))
    #expect(late.subscribe(to: 0).completions == [.failure(.oops)])
  }

  @Test(arguments: ["finish", "fail"])
  func `The end of the signals is the end of the stream`(_ end: String) {
    let bench = WindowBench(Windower.all[1])
    bench.send(1)
    let reader = bench.subscribe(to: 0)
    bench.signal.send(completion: end == "fail" ? .failure(.oops) : .finished)
    #expect(reader.completions == bench.windows.completions && reader.completions.count == 1)
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test(arguments: Windower.all)
  func `Without downstream the open window goes on, and then upstream is cancelled`(_ windower: Windower) {
    let bench = WindowBench(windower)
    bench.send(1)
    let reader = bench.subscribe(to: 0)
    bench.windows.cancel()
    #expect(bench.source.subscription?.cancellations == 0)
    bench.send(2)
    bench.endWindow()
    #expect(reader.values == [1, 2] && reader.isFinished)
    #expect(bench.source.subscription?.cancellations == 1)
    #expect(bench.windows.complaints.isEmpty && bench.clock.pending.isEmpty)
  }

  @Test(arguments: Windower.all, [true, false])
  func `When nobody is left, upstream is cancelled`(_ windower: Windower, _ downstreamFirst: Bool) {
    let bench = WindowBench(windower)
    bench.send(1)
    let reader = bench.subscribe(to: 0)
    if downstreamFirst {
      bench.windows.cancel()
      reader.cancel()
    } else {
      reader.cancel()
      bench.windows.cancel()
    }
    #expect(bench.source.subscription?.cancellations == 1)
    #expect(bench.clock.pending.isEmpty)
  }

  @Test(arguments: Windower.all)
  func `A cancel without windows goes upstream`(_ windower: Windower) {
    let bench = WindowBench(windower)
    bench.windows.cancel()
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test func `No timer runs between two windows`() {
    let bench = WindowBench(Windower.all[2])
    #expect(bench.clock.pending.isEmpty)
    bench.send(1)
    #expect(bench.clock.pending.count == 1)
    _ = bench.subscribe(to: 0)
    bench.clock.advance(by: 1)
    #expect(bench.clock.pending.isEmpty)
    bench.clock.advance(by: 5)
    bench.send(2)
    _ = bench.subscribe(to: 1)
    bench.clock.advance(by: 0.9)
    bench.send(3)
    #expect(bench.windows.values.count == 2)
  }

  @Test func `A signal without a value before it ends nothing`() {
    let bench = WindowBench(Windower.all[1])
    bench.signal.send(())
    bench.send(1)
    bench.signal.send(())
    bench.signal.send(())
    #expect(bench.windows.values.count == 1)
  }

  @Test(arguments: [1, 2, 3, 7])
  func `Windows that are flattened one at a time are all values`(_ size: Int) {
    onSmallStack {
      let recorder = Recorder<Int, Never>(demand: .max(1))
      recorder.onValue = { _ in .max(1) }
      (1...20_000).publisher.window(count: size).flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
      #expect(recorder.values == Array(1...20_000) && recorder.isFinished)
    }
  }

  @Test func `A subscriber that sends has its value in the same window or the next`() {
    let subject = PassthroughSubject<Int, Never>()
    var events: [String] = []
    var number = 0
    let cancellable = subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).window(count: 2)
      .flatMap { window in
        number += 1
        return window.map { [number] in (number, $0) }
      }
      .sink { window, value in
        events.append("\(window): \(value)")
        if value < 4 { subject.send(value + 1) }
      }
    subject.send(1)
    #expect(events == ["1: 1", "1: 2", "2: 3", "2: 4"])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [1, 2, 9, 1_000])
  func `What a subscriber sends from within a value is delivered after it`(_ size: Int) {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let cancellable = subject.window(count: size).flatMap { $0 }.sink {
      values.append($0)
      if $0 % 100 == 1 { for value in $0 + 1...$0 + 50 { subject.send(value) } }
    }
    subject.send(1)
    subject.send(101)
    #expect(values == Array(1...51) + Array(101...151))
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A second subscriber of a window traps, and so does a count below one`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = WindowBench(Windower.all[0])
      bench.send(1)
      _ = bench.subscribe(to: 0)
      _ = bench.subscribe(to: 0)
    }
    expectMessage(result, "Window takes one subscriber, but got a second. Put share() or multicast(_:) behind it")
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).window(count: 0)
    }
    expectMessage(count, "window(count:) takes a count of 1 or more")
  }

  @Test(arguments: Windower.all, ["finish", "fail", "cancel", "cancel the window", "leave", "release"])
  func `Nothing is left when the stream is over`(_ windower: Windower, _ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "source")
      let clock = VirtualTimeScheduler()
      let windows = graveyard.watch(Recorder<Int, TestError>(), "windows")
      let reader = graveyard.watch(WindowBench.Reader(), "reader")
      windower.apply(source.eraseToAnyPublisher(), ManualPublisher(), clock)
        .map { window in
          if end != "release" { window.subscribe(reader) }
          return 0
        }
        .subscribe(windows)
      source.send(1)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      case "cancel the window":
        reader.cancel()
        windows.cancel()
      case "leave":
        windows.cancel()
        source.send(completion: .finished)
      default:
        windows.cancel()
        if end == "cancel" { reader.cancel() }
      }
      reader.releaseSubscriptions()
      windows.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
