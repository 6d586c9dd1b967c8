// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between operators with several upstreams and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct CombiningDivergences {
  /// Combine returns it to the one upstream whose value completed the tuple.
  ///
  /// If that upstream has finished, the stream stalls although demand is left.
  @Test func `What a combined tuple is answered with is asked from all upstreams`() {
    let recorder = RowRecorder(demand: .max(1), answering: .max(1))
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    upstreams[0].send(1)
    #expect(upstreams[1].send(2) == .max(1))
    #expect(upstreams[0].calls == [.requested(.max(1)), .requested(.max(1))])
    #expect(upstreams[1].calls == [.requested(.max(1))])
  }

  /// Combine requests during the delivery, and keeps other threads out until an upstream that delivers during the
  /// request has delivered its last value.
  @Test func `Several upstreams are asked for more only when the delivery has returned`() {
    let recorder = RowRecorder(demand: .max(1))
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    var inside: [Int] = []
    recorder.onValue = { _ in
      recorder.request(.max(1))
      inside = upstreams.map { $0.calls.count }
      return .none
    }
    for upstream in upstreams { upstream.send(1) }
    #expect(inside == [1, 1])
    #expect(upstreams.map { $0.calls.count } == [2, 2])
  }

  /// The same.
  @Test(arguments: ["flatMap", "switchToLatest", "merge", "zip", "prefix until", "drop until"])
  func `An inner publisher and one beside a second are asked for more only when the delivery has returned`(
    _ name: String
  ) {
    typealias Source = ManualPublisher<Int, TestError>
    let (source, other) = (Source(), Source())
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let outer = Source()
    switch name {
    case "flatMap": outer.flatMap { _ in source }.subscribe(recorder)
    case "switchToLatest": outer.map { _ in source }.switchToLatest().subscribe(recorder)
    case "merge": source.merge(with: other).subscribe(recorder)
    case "zip": source.zip(other) { value, _ in value }.subscribe(recorder)
    case "prefix until": source.prefix(untilOutputFrom: other).subscribe(recorder)
    default: source.drop(untilOutputFrom: other).subscribe(recorder)
    }
    if name == "flatMap" || name == "switchToLatest" { outer.send(0) }
    if name == "zip" || name == "drop until" { other.send(0) }
    let before = source.calls.count
    var inside = -1
    recorder.onValue = { _ in
      recorder.request(.unlimited)
      inside = source.calls.count
      return .none
    }
    let answer = source.send(1)
    #expect(inside == before)
    // `zip` returns it to the upstream whose value it has delivered.
    if name == "zip" { #expect(answer == .unlimited) }
    #expect(source.calls.count == (name == "zip" ? before : before + 1))
  }

  /// Combine blocks the second sender until the first delivery is over.
  @Test(arguments: ["merge", "combineLatest", "zip", "flatMap", "switchToLatest"])
  func `A value for a combining operator that is delivering on another thread is queued`(_ name: String) {
    let (first, second) = (PassthroughSubject<Int, Never>(), UncheckedBox(PassthroughSubject<Int, Never>()))
    let latest = UncheckedBox(PassthroughSubject<Int, Never>())
    let combined: AnyPublisher<Int, Never> =
      switch name {
      case "merge": first.merge(with: second.value).eraseToAnyPublisher()
      case "combineLatest": first.combineLatest(second.value.prepend(0)) { $1 == 0 ? $0 : $1 }.eraseToAnyPublisher()
      case "zip": first.zip(second.value) { max($0, $1) }.eraseToAnyPublisher()
      case "flatMap": first.flatMap { $0 == 0 ? latest.value : second.value }.eraseToAnyPublisher()
      default: first.map { _ in latest.value }.switchToLatest().eraseToAnyPublisher()
      }
    var values: [Int] = []
    var inside: [Int] = []
    let cancellable = combined.sink { value in
      values.append(value)
      guard value == 1 else { return }
      // Each returns before the delivery is over.
      elsewhere { (name == "switchToLatest" ? latest : second).value.send(2) }
      inside = values
    }
    switch name {
    case "zip":
      for value in [1, 2] { first.send(value) }
      second.value.send(1)
    case "flatMap":
      for value in [0, 1] { first.send(value) }
      latest.value.send(1)
    case "switchToLatest":
      first.send(0)
      latest.value.send(1)
    default: first.send(1)
    }
    #expect(inside == [1])
    #expect(values == [1, 2])
    cancellable.cancel()
  }
}
