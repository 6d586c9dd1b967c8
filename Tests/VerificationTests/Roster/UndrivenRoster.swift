// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockConcurrency
import PenstockOperatorsFoundation
import PenstockTesting
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Types that deliver on threads of their own, as an author first writes them down: with nothing that drives them, so
/// that the kit has to wait for their calls.
extension Roster {
  static let undriven: [any Verification] = [
    PublisherVerification("receive(on:), undriven").finite { (0..<$0).publisher.receive(on: queue()) }
      .failing { failing.receive(on: queue()) }.inProcess(),
    PublisherVerification("subscribe(on:), undriven").finite { (0..<$0).publisher.subscribe(on: queue()) }
      .failing { failing.subscribe(on: queue()) }.inProcess(),
    PublisherVerification("delay, undriven").finite {
      (0..<$0).publisher.delay(for: .microseconds(50), scheduler: queue())
    }
    .failing { failing.delay(for: .microseconds(50), scheduler: queue()) }.inProcess(),
    PublisherVerification("debounce, undriven").finite {
      spaced($0).debounce(for: .microseconds(50), scheduler: queue())
    }.failing { failing.debounce(for: .microseconds(50), scheduler: queue()) }.traits(.hot).inProcess(),
    PublisherVerification("fetching, undriven").finite { fetched($0) }.failing { fetched(1, thenFailing: true) }
      .waiving("P-07", because: "only the closure knows that there is no more, and it is called with demand")
      .inProcess(),
    PublisherVerification("AsyncSequence.publisher, undriven").finite { Numbers($0).publisher }
      .failing { Numbers(1, thenFailing: TestError.oops).publisher }
      .waiving("P-07", because: "only the iterator knows that there is no more, and it is asked with demand")
      .inProcess(),
    PublisherVerification("create, undriven").finite { created($0) }
      .failing { created(1, thenFailing: true) }.inProcess(),
    PublisherVerification("Future, of a callback, undriven").finite(1...1) { number in
      Deferred { Future<Int, TestError> { promise in queue().async { promise(.success(number)) } } }
    }.failing { Deferred { Future<Int, TestError> { promise in queue().async { promise(.failure(.oops)) } } } }
      .inProcess(),
    OperatorVerification("receive(on:), undriven") { $0.receive(on: queue()) }.inProcess(),
    OperatorVerification("mapAsync, undriven") { upstream in
      upstream.mapAsync { number async -> Int in
        await Task.yield()
        return number
      }
    }.traits(.prefetches(1)).inProcess(),
  ]

  static let undrivenLoad: any Verification =
    PublisherVerification("URLSession.DataTaskPublisher, undriven").finite(1...1) { _ in
      let server = LoopbackServer { $0.answer(200, "water") }
      return URLSession.shared.dataTaskPublisher(for: server.url()).map { answer in
        withExtendedLifetime(server) { String(decoding: answer.data, as: UTF8.self) }
      }
    }
    .failing {
      let nobody = NobodyThere()
      return URLSession.shared.dataTaskPublisher(for: nobody.url)
        .map { answer in withExtendedLifetime(nobody) { String(decoding: answer.data, as: UTF8.self) } }
    }
    .inProcess()

  private static func queue() -> DispatchQueue { DispatchQueue(label: "undriven") }

  private static var failing: Fail<Int, TestError> { Fail(error: .oops) }

  /// Numbers with a pause after each, so that a `debounce` has something to deliver.
  private static func spaced(_ count: Int) -> some Publisher<Int, Never> {
    (0...count).publisher
      .flatMap(maxPublishers: .max(1)) { Just($0).delay(for: .milliseconds(1), scheduler: queue()) }
      .filter { $0 < count }
  }

  /// The callbacks of an interface without demand: values that nobody has requested yet are kept.
  private static func created(_ count: Int, thenFailing fails: Bool = false) -> AnyPublisher<Int, TestError> {
    .create { emitter in
      let queue = queue()
      for number in 0..<count { queue.async { emitter.send(number) } }
      queue.async { emitter.send(completion: fails ? .failure(.oops) : .finished) }
      return AnyCancellable {}
    }
  }
}
