// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import TestSupport
import Testing

/// Publishers that deliver on threads of their own, and complete during deliveries.
@Suite struct SequentialSerialRaceTests {
  typealias Stream = AnyPublisher<Int, TestError>

  /// Consecutive numbers, delivered on a thread of its own while there is demand, and a completion.
  private struct Worker: Publisher {
    typealias Output = Int
    typealias Failure = TestError
    let numbers: Range<Int>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      subscriber.receive(subscription: Shift(numbers, AnySubscriber(subscriber)))
    }

    private final class Shift: Subscription, @unchecked Sendable {
      private struct State {
        var numbers: Range<Int>
        var demand = Subscribers.Demand.none
        var isRunning = false
        var subscriber: AnySubscriber<Int, TestError>?
      }

      private let state: Locked<State>

      init(_ numbers: Range<Int>, _ subscriber: AnySubscriber<Int, TestError>) {
        state = Locked(State(numbers: numbers, subscriber: subscriber))
      }

      func request(_ demand: Subscribers.Demand) {
        let mustRun = state.change { state in
          state.demand += demand
          if state.isRunning || state.demand == .none { return false }
          state.isRunning = true
          return true
        }
        if mustRun { DispatchQueue.global().async { self.run() } }
      }

      func cancel() { state.change { $0.subscriber = nil } }

      private func run() {
        while let (number, subscriber) = next() {
          guard let number else { return subscriber.receive(completion: .finished) }
          let more = subscriber.receive(number)
          state.change { $0.demand += more }
        }
      }

      private func next() -> (Int?, AnySubscriber<Int, TestError>)? {
        state.change { state in
          guard let subscriber = state.subscriber else { return nil }
          if let number = state.numbers.first {
            guard state.demand != .none else {
              state.isRunning = false
              return nil
            }
            state.demand -= 1
            state.numbers.removeFirst()
            return (number, subscriber)
          }
          state.subscriber = nil
          return (nil, subscriber)
        }
      }
    }
  }

  enum Kind: CaseIterable { case append, appendErased, prepend, `catch`, retry }

  /// Streams of ten numbers each, which are stopped during the tenth, unless they have already ended by then.
  private static func stream(_ kind: Kind, _ stops: [PassthroughSubject<Void, Never>]) -> Stream {
    let parts = stops.indices.map { index in
      Worker(numbers: index * 10..<index * 10 + 10)
        .prefix(untilOutputFrom: stops[index]).eraseToAnyPublisher()
    }
    switch kind {
    case .append, .appendErased:
      return parts.dropFirst().reduce(parts[0]) { stream, part in
        kind == .append
          ? stream.append(part).eraseToAnyPublisher() : stream.append(part).map { $0 }.eraseToAnyPublisher()
      }
    case .prepend:
      return parts.dropLast().reversed().reduce(parts[parts.count - 1]) { stream, part in
        stream.prepend(part).eraseToAnyPublisher()
      }
    case .catch:
      return parts.dropLast().reversed().reduce(parts[parts.count - 1]) { stream, part in
        part.append(Fail(error: .oops)).catch { _ in stream }.eraseToAnyPublisher()
      }
    case .retry:
      let made = Locked(0)
      return Publishers.Retry(
        upstream: Deferred {
          let number = made.change { made in
            made += 1
            return made - 1
          }
          return number == parts.count - 1
            ? parts[number] : parts[number].append(Fail(error: .oops)).eraseToAnyPublisher()
        }, retries: nil
      ).eraseToAnyPublisher()
    }
  }

  @Test(arguments: Kind.allCases, [Subscribers.Demand.unlimited, .max(1), .max(4)])
  func `Publishers on threads of their own that end during deliveries do not overlap`(
    _ kind: Kind, _ demand: Subscribers.Demand
  ) {
    let count = 8
    for _ in 0..<40 {
      let stops = (0..<count).map { _ in PassthroughSubject<Void, Never>() }
      let probe = Recorder<Int, TestError>(demand: demand)
      // Deliberately without a lock: deliveries are serial.
      var granted = demand.max ?? .max / 2
      var exceeded = false
      let done = Gate()
      probe.onValue = { value in
        if probe.values.count > granted { exceeded = true }
        if value % 10 == 9 {
          stops[value / 10].send()
          // The next upstream may start with the demand that is requested here, and its first values may nest in the
          // later requests: a request that passes through an operator's queue takes along the signals that wait there.
          for _ in 0..<value % 7 {
            granted += 1
            probe.request(.max(1))
          }
        }
        granted += 1
        return .max(1)
      }
      probe.onCompletion = { _ in done.open() }
      Self.stream(kind, stops).subscribe(probe)
      done.wait()
      #expect(!probe.hasOverlapped)
      #expect(!exceeded)
      #expect(probe.values == Array(0..<count * 10))
    }
  }

  /// A request from another thread, and a cancel at any time.
  @Test(arguments: Kind.allCases)
  func `A cancel from another thread stops publishers that end during deliveries`(_ kind: Kind) {
    for round in 0..<60 {
      var graveyard = Graveyard()
      do {
        let stops = (0..<5).map { _ in PassthroughSubject<Void, Never>() }
        let probe = graveyard.watch(Recorder<Int, TestError>(demand: .max(2)), "probe")
        let started = Gate()
        let ended = Locked(false)
        let late = Locked(0)
        probe.onValue = { value in
          if ended.value { late.change { $0 += 1 } }
          if value % 10 == 9 { stops[value / 10].send() }
          if value == round % 45 { started.open() }
          return .max(1)
        }
        Self.stream(kind, stops).subscribe(probe)
        started.wait()
        let subscription = UncheckedBox(probe.subscription)
        onThreads([
          { for _ in 0..<20 { subscription.value?.request(.max(1)) } },
          {
            subscription.value?.cancel()
            ended.change { $0 = true }
          },
        ])
        // One value may have been in flight.
        #expect(late.value <= 1)
        #expect(!probe.hasOverlapped)
        probe.releaseSubscriptions()
      }
    }
  }
}
