// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Results of several sizes, which a future keeps in itself or on the heap, and hands to any number of subscribers.
@Suite struct FutureResultTests {
  /// A value of five words that owns an object.
  private struct Large {
    var canary: Canary
    var numbers = (1, 2, 3, 4)
  }

  private struct LargeFailure: Error {
    var large: Large
  }

  /// Subscribes three times to a future that has its result, and counts the results that are equal to it.
  private func deliveries<Output, Failure: Error>(
    _ result: Result<Output, Failure>, _ canary: @escaping (Result<Output, Failure>) -> Canary
  ) -> Int {
    let future = Future<Output, Failure> { $0(result) }
    var count = 0
    for _ in 0..<3 {
      let cancellable = future.sink(
        receiveCompletion: {
          if case .failure(let failure) = $0, canary(.failure(failure)) === canary(result) { count += 1 }
        },
        receiveValue: { if canary(.success($0)) === canary(result) { count += 1 } })
      withExtendedLifetime(cancellable) {}
    }
    return count
  }

  @Test func `A result of any size is delivered to each subscriber and freed with the future`() {
    var graveyard = Graveyard()
    do {
      let small = graveyard.watch(Canary(), "small")
      #expect(deliveries(Result<Canary, Never>.success(small)) { $0.get() } == 3)
      let large = Large(canary: graveyard.watch(Canary(), "large"))
      #expect(deliveries(Result<Large, Never>.success(large)) { $0.get().canary } == 3)
      let failure = LargeFailure(large: Large(canary: graveyard.watch(Canary(), "failure")))
      #expect(deliveries(Result<Int, LargeFailure>.failure(failure)) { $0.failure!.large.canary } == 3)
      let erased = LargeFailure(large: Large(canary: graveyard.watch(Canary(), "erased failure")))
      #expect(
        deliveries(Result<Int, any Error>.failure(erased)) { ($0.failure as! LargeFailure).large.canary } == 3)
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `A result that nobody has asked for is freed with the future`() {
    var graveyard = Graveyard()
    do {
      let (small, large) = (graveyard.watch(Canary(), "small"), Large(canary: graveyard.watch(Canary(), "large")))
      _ = Future<Canary, Never> { $0(.success(small)) }
      _ = Future<Large, Never> { $0(.success(large)) }
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `Several threads take a result while it becomes known`() {
    for _ in 0..<200 {
      var graveyard = Graveyard()
      do {
        let pledge = Pledge<Large, Never>()
        let (large, received) = (Large(canary: graveyard.watch(Canary())), Locked<[AnyObject]>([]))
        let kept = Locked<[AnyCancellable]>([])
        onThreads(3) { number in
          if number == 0 { return pledge.resolve(.success(large)) }
          for _ in 0..<3 {
            let cancellable = pledge.future.sink { value in received.change { $0.append(value.canary) } }
            kept.change { $0.append(cancellable) }
          }
        }
        #expect(received.value.count == 6)
        #expect(received.value.allSatisfy { $0 === large.canary })
        pledge.dropPromise()
      }
      #expect(graveyard.survivors == [])
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
