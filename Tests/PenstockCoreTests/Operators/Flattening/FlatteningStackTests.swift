// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Inner publishers that follow each other synchronously, in any number, do not grow the stack.
@Suite struct FlatteningStackTests {
  private static let count = 20_000

  enum Streams: CaseIterable {
    case oneValue, twoValues, empty

    func make(_ value: Int) -> AnyPublisher<Int, Never> {
      switch self {
      case .oneValue: Just(value).eraseToAnyPublisher()
      case .twoValues: [value, value].publisher.eraseToAnyPublisher()
      case .empty: Empty().eraseToAnyPublisher()
      }
    }

    var values: Int {
      switch self {
      case .oneValue: 1
      case .twoValues: 2
      case .empty: 0
      }
    }
  }

  /// A way for downstream to request: during a value or after it.
  enum Requesting: CaseIterable { case all, returning, requesting }

  private func run(
    _ asking: Requesting, _ build: @escaping @Sendable () -> AnyPublisher<Int, Never>
  ) -> (values: Int, finished: Bool) {
    let result = Locked((values: 0, finished: false))
    onSmallStack(kibibytes: 512) {
      let probe = Recorder<Int, Never>(demand: nil)
      probe.onValue = { [unowned probe] _ in
        if asking == .requesting { probe.request(.max(1)) }
        return asking == .returning ? .max(1) : .none
      }
      build().subscribe(probe)
      probe.request(asking == .all ? .unlimited : .max(1))
      result.change { $0 = (probe.values.count, probe.completions.count == 1) }
    }
    return result.value
  }

  @Test(
    arguments: [
      (Streams.oneValue, Requesting.all), (.oneValue, .requesting), (.twoValues, .returning), (.empty, .all),
    ])
  func `Twenty thousand streams, one at a time`(_ streams: Streams, _ asking: Requesting) {
    let result = run(asking) {
      (0..<Self.count).publisher.flatMap(maxPublishers: .max(1)) { streams.make($0) }.eraseToAnyPublisher()
    }
    #expect(result.values == Self.count * streams.values)
    #expect(result.finished)
  }

  @Test(arguments: [(Streams.oneValue, Requesting.all), (.twoValues, .requesting), (.empty, .all)])
  func `Twenty thousand streams, all at once`(_ streams: Streams, _ asking: Requesting) {
    let result = run(asking) {
      (0..<Self.count).publisher.flatMap { streams.make($0) }.eraseToAnyPublisher()
    }
    #expect(result.values == Self.count * streams.values)
    #expect(result.finished)
  }

  @Test func `A flatMap in a flatMap`() {
    let result = run(.requesting) {
      (0..<Self.count).publisher.flatMap(maxPublishers: .max(1)) { value in
        [value, value].publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
      }.eraseToAnyPublisher()
    }
    #expect(result.values == 2 * Self.count)
    #expect(result.finished)
  }

  @Test(arguments: [Streams.twoValues, .empty])
  func `Twenty thousand streams to switch to`(_ streams: Streams) {
    let result = run(.all) {
      // Unlimited demand before upstream is subscribed to, as with a sink.
      let subject = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
      let (shared, box) = (subject.switchToLatest(), UncheckedBox(subject))
      return shared.handleEvents(receiveRequest: { _ in
        for value in 0..<Self.count { box.value.send(streams.make(value)) }
        box.value.send(completion: .finished)
      }).eraseToAnyPublisher()
    }
    // The request reaches the operator only after all publishers have been sent, so the last one serves it.
    #expect(result.values == streams.values)
    #expect(result.finished)
  }

  @Test func `A sink gets every stream of a sequence of streams`() {
    let count = Locked(0)
    onSmallStack(kibibytes: 512) {
      let cancellable = (0..<Self.count).publisher.map { Just($0) }.switchToLatest().sink { _ in
        count.change { $0 += 1 }
      }
      withExtendedLifetime(cancellable) {}
    }
    #expect(count.value == Self.count)
  }
}
