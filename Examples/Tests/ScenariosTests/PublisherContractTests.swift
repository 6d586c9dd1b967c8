// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockOperators
import Scenarios
import Testing

/// The rules of every stream, for the publishers that are written by hand here, and for those of the library.
@Suite struct PublisherContractTests {
  enum Source: CaseIterable {
    case writtenLines, composedLines, fibonacci, sequence

    /// Returns a publisher of that many values; at most 90, since an `Int` can hold no more of Fibonacci's numbers.
    func publisher(count: Int) -> AnyPublisher<String, any Error> {
      switch self {
      case .writtenLines: Lines { Script(count: count) }.eraseToAnyPublisher()
      case .composedLines: lines { Script(count: count) }.eraseToAnyPublisher()
      case .fibonacci:
        Publishers.fibonacci(count: .max(count)).map(String.init).setFailureType(to: (any Error).self)
          .eraseToAnyPublisher()
      case .sequence:
        (1...count).publisher.map(String.init).setFailureType(to: (any Error).self).eraseToAnyPublisher()
      }
    }

    /// Returns what it delivers if everything is requested at once.
    func values(count: Int) -> [String] {
      let witness = StreamWitness()
      witness.onSubscription = { $0.request(.unlimited) }
      publisher(count: count).subscribe(witness)
      return witness.values
    }
  }

  @Test(arguments: Source.allCases)
  func `What another thread requests during the subscription is delivered after it`(_ source: Source) {
    let witness = StreamWitness()
    var receivedMeanwhile: [String]?
    witness.onSubscription = { _ in
      elsewhere { witness.request(.max(2)) }
      receivedMeanwhile = witness.values
    }
    source.publisher(count: 5).subscribe(witness)
    #expect(receivedMeanwhile == [])
    #expect(!witness.callsHaveMet)
    #expect(witness.values == Array(source.values(count: 5).prefix(2)))
    #expect(witness.completions == 0)
  }

  @Test(arguments: Source.allCases)
  func `What another thread cancels during the subscription delivers nothing`(_ source: Source) {
    let witness = StreamWitness()
    witness.onSubscription = { subscription in
      let subscription = Held(subscription)
      elsewhere {
        subscription.value.request(.unlimited)
        subscription.value.cancel()
      }
    }
    source.publisher(count: 5).subscribe(witness)
    #expect(witness.values.isEmpty)
    #expect(witness.completions == 0)
  }

  @Test(arguments: Source.allCases)
  func `Requests add up, wherever they are made`(_ source: Source) {
    let witness = StreamWitness()
    witness.onSubscription = { subscription in
      subscription.request(.max(1))
      subscription.request(.max(1))
    }
    witness.onValue = { _ in
      // The second value requests two more with a call, the third requests one more with its return value.
      if witness.values.count == 2 { witness.request(.max(2)) }
      return witness.values.count == 3 ? .max(1) : .none
    }
    source.publisher(count: 20).subscribe(witness)
    #expect(witness.values.count == 5)
    elsewhere { witness.request(.max(3)) }
    #expect(witness.values == Array(source.values(count: 20).prefix(8)))
    #expect(witness.completions == 0)
  }

  @Test(arguments: Source.allCases)
  func `A delivery that requests and waits for another thread that requests does not nest`(_ source: Source) {
    let witness = StreamWitness()
    witness.onValue = { _ in
      witness.request(.max(1))
      elsewhere { witness.request(.max(1)) }
      return .max(1)
    }
    source.publisher(count: 30).subscribe(witness)
    witness.request(.max(1))
    #expect(!witness.callsHaveMet)
    #expect(witness.values == source.values(count: 30))
    #expect(witness.completions == 1)
  }

  @Test(arguments: Source.allCases)
  func `Threads that request at once get every value in order, one at a time`(_ source: Source) {
    for _ in 0..<50 {
      let witness = StreamWitness()
      source.publisher(count: 90).subscribe(witness)
      let threads = (0..<3).map { _ in Started { for _ in 0..<31 { witness.request(.max(1)) } } }
      for thread in threads { thread.join() }
      #expect(!witness.callsHaveMet)
      #expect(witness.values == source.values(count: 90))
      #expect(witness.completions == 1)
    }
  }

  @Test(arguments: Source.allCases, 0...4)
  func `A cancel is final, and a source releases the subscriber`(_ source: Source, position: Int) {
    weak var gone: StreamWitness?
    let kept: (any Subscription)?
    do {
      let witness = StreamWitness()
      witness.onValue = { [unowned witness] _ in
        if witness.values.count == position { witness.subscription?.cancel() }
        return .none
      }
      source.publisher(count: 9).subscribe(witness)
      if position == 0 { witness.subscription?.cancel() }
      witness.request(.unlimited)
      #expect(witness.values.count == position)
      #expect(witness.completions == 0)
      kept = witness.subscription
      gone = witness
    }
    // An operator such as `using` is its own subscription, and keeps its subscriber as long as the subscription is
    // kept.
    if source != .composedLines { #expect(gone == nil) }
    kept?.request(.unlimited)
  }

  @Test(arguments: Source.allCases)
  func `A cancel may come while another thread requests`(_ source: Source) {
    for _ in 0..<200 {
      let witness = StreamWitness()
      source.publisher(count: 90).subscribe(witness)
      let subscription = Held(witness.subscription!)
      let requesting = Started { for _ in 0..<91 { subscription.value.request(.max(1)) } }
      let cancelling = Started { subscription.value.cancel() }
      requesting.join()
      cancelling.join()
      #expect(!witness.callsHaveMet)
      #expect(witness.values == Array(source.values(count: 90).prefix(witness.values.count)))
      #expect(witness.completions <= 1)
    }
  }

  @Test(arguments: [Source.writtenLines, .composedLines, .sequence])
  func `Many values that are requested one at a time do not grow the stack`(_ source: Source) {
    let witness = StreamWitness()
    witness.onValue = { _ in
      witness.request(.max(1))
      return .none
    }
    source.publisher(count: 50_000).subscribe(witness)
    witness.request(.max(1))
    #expect(witness.values.count == 50_000)
    #expect(witness.completions == 1)
  }

  /// Any thread may call a subscription's methods, but its protocol does not require `Sendable`.
  private struct Held: @unchecked Sendable {
    let value: any Subscription
    init(_ value: any Subscription) { self.value = value }
  }
}
