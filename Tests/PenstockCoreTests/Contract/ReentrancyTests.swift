// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Every callback may act on its own stream, on its own thread.
@Suite struct ReentrancyTests {
  enum Callback: CaseIterable { case subscription, value, completion }

  enum Action: CaseIterable { case requestOne, requestAll, cancel, send, complete, subscribeAgain, everything }

  /// A stream under test: how to subscribe and, where possible, how to send.
  private struct Stream {
    let name: String
    let subscribe: (Recorder<Int, TestError>) -> Void
    let send: (Int) -> Void
    let complete: () -> Void

    init(
      _ name: String, _ publisher: some Publisher<Int, TestError>, send: @escaping (Int) -> Void = { _ in },
      complete: @escaping () -> Void = {}
    ) {
      self.name = name
      subscribe = { publisher.subscribe($0) }
      self.send = send
      self.complete = complete
    }
  }

  private func streams() -> [Stream] {
    let passthrough = PassthroughSubject<Int, TestError>()
    let current = CurrentValueSubject<Int, TestError>(0)
    let mapped = PassthroughSubject<Int, TestError>()
    let erased = PassthroughSubject<Int, TestError>()
    return [
      Stream(
        "passthrough", passthrough, send: { passthrough.send($0) },
        complete: { passthrough.send(completion: .finished) }),
      Stream("current", current, send: { current.send($0) }, complete: { current.send(completion: .finished) }),
      Stream(
        "mapped", mapped.map { $0 }.filter { _ in true }, send: { mapped.send($0) },
        complete: { mapped.send(completion: .failure(.oops)) }),
      Stream(
        "erased", erased.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher(), send: { erased.send($0) },
        complete: { erased.send(completion: .finished) }),
      Stream("sequence", Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...5)),
    ]
  }

  @Test(arguments: Callback.allCases, Action.allCases)
  func `No action from any callback breaks the rules of the stream`(_ callback: Callback, _ action: Action) {
    for stream in streams() {
      let recorder = Recorder<Int, TestError>(demand: .max(2))
      let second = Recorder<Int, TestError>(demand: .max(2))
      var depth = 0
      let act = {
        guard depth < 3 else { return }
        depth += 1
        defer { depth -= 1 }
        if action == .requestOne || action == .everything { recorder.request(.max(1)) }
        if action == .send || action == .everything { stream.send(7) }
        if action == .subscribeAgain || action == .everything { stream.subscribe(second) }
        if action == .requestAll { recorder.request(.unlimited) }
        if action == .complete || action == .everything { stream.complete() }
        if action == .cancel || action == .everything { recorder.cancel() }
      }
      switch callback {
      case .subscription: recorder.onSubscription = { _ in act() }
      case .value:
        recorder.onValue = { _ in
          act()
          return .max(1)
        }
      case .completion: recorder.onCompletion = { _ in act() }
      }
      stream.subscribe(recorder)
      for value in 1...3 { stream.send(value) }
      stream.complete()
      stream.send(9)

      let events = recorder.events
      #expect(events.count > 0, "\(stream.name)")
      guard case .subscription = events[0] else {
        Issue.record("\(stream.name): the first event is not the subscription")
        continue
      }
      #expect(recorder.completions.count <= 1, "\(stream.name)")
      #expect(recorder.subscriptionTexts.count == 1, "\(stream.name)")
      if let end = events.firstIndex(where: { if case .completion = $0 { true } else { false } }) {
        #expect(end == events.count - 1, "\(stream.name): nothing follows the completion")
      }
      if action == .cancel, callback != .completion {
        #expect(recorder.completions.isEmpty, "\(stream.name)")
        #expect(recorder.values.count == (callback == .subscription ? 0 : 1), "\(stream.name)")
      }
    }
  }
}
