// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockOperatorsFoundation
import PenstockTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum BeyondCombine {
  // Beyond Combine | `PenstockOperators`
  static func operators() {
    let (subject, scheduler) = (PassthroughSubject<Int?, Trouble>(), VirtualTimeScheduler())
    let (replayed, shared) = (subject.shareReplay(capacity: 1), subject.share(replay: 1))
    let retried = subject.retry(.fixed(1, delay: .seconds(1)), scheduler: scheduler)
    let (first, second) = (replayed.unwrap().received(), shared.unwrap().received())
    let third = retried.replaceError(with: nil).throttle(while: Just(false), initialThrottle: false, on: scheduler)
      .received()
    scheduler.advance()
    subject.send(1)
    subject.send(nil)
    scheduler.advance()
    expect([first.log, second.log, third.log], [["1"], ["1"], ["Optional(1)", "nil"]])
    var (lines, values) = ([String](), [Int]())
    let logger = TimeLogger(elapsed: { .zero }, output: { lines.append($0) })
    let sink = [1, 2].publisher.print("n", to: logger).pausableSink(receiveCompletion: { _ in }) {
      values.append($0)
      return false
    }
    expect(values, [1])
    sink.resume()
    expect(values, [1, 2])
    expect(lines.isEmpty, false)
  }

  // Beyond Combine | `PenstockOperatorsFoundation`
  static func operatorsFoundation() {
    let ticks = Publishers.timer(interval: .milliseconds(1), times: .max(1))
    let done = DispatchSemaphore(value: 0)
    let cancellable = ticks.sink(receiveCompletion: { _ in done.signal() }, receiveValue: { _ in })
    done.wait()
    let center = NotificationCenter()
    let names = [Notification.Name("a"), Notification.Name("b")]
    let posted = center.publisher(for: names).map(\.name.rawValue).received()
    for name in names { center.post(name: name, object: nil) }
    expect(posted.log, ["a", "b"])
    // Neither is subscribed to: there is no server.
    let urls = [URL(string: "http://localhost/a")!, URL(string: "http://localhost/b")!]
    expect(URLSession.shared.dataTaskPublisher(for: urls).publishers.count, 2)
    let decoded = URLSession.shared.decodedDataTaskPublisher(for: urls[0], decodingResultAs: Int.self)
    _ = (cancellable, decoded)
  }

  // Beyond Combine | `PenstockConcurrency`
  static func concurrency() async {
    var values: [Int] = []
    for await value in [1, 2].publisher.mapAsync({ $0 * 2 }).values(buffering: .unbounded) { values.append(value) }
    expect(values, [2, 4])
    let stream = AsyncStream<Int> { continuation in
      continuation.yield(7)
      continuation.finish()
    }
    for await value in stream.publisher.values { values.append(value) }
    expect(values, [2, 4, 7])
    let scheduler = TaskScheduler()
    for await value in Just(1).delay(for: .milliseconds(1), scheduler: scheduler).values { values.append(value) }
    expect(values, [2, 4, 7, 1])
    let (ends, end) = AsyncStream<Never>.makeStream()
    let cancellable = Just(3).sink(on: .shared) { _ in
      end.finish()
    } receiveValue: { _ in
      MainActor.assertIsolated()
    }
    for await _ in ends {}
    cancellable.cancel()
  }

  // Beyond Combine | `PenstockTesting`
  static func testing() {
    let scheduler = VirtualTimeScheduler()
    let delayed = Just(1).delay(for: 3_600, scheduler: scheduler).received()
    scheduler.advance(by: 3_600)
    expect(delayed.log, ["1", "finished"])
  }
}
