// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  /// Positions of one operator inside another, for the tests of pairs.
  public static let positions: [OperatorSpec] = [
    .init("flatMap, one at a time") { $0.flatMap(maxPublishers: .max(1)) { numbers([$0, -$0]) } },
    .init("flatMap, all at once", varies: "its streams take turns") { $0.flatMap { numbers([$0, -$0]) } },
    .init("a stream of flatMap") { Just($0).flatMap { $0 } },
    .init("the first of two streams of flatMap") {
      [$0.eraseToAnyPublisher(), numbers([100, 200]).eraseToAnyPublisher()].publisher
        .flatMap(maxPublishers: .max(1)) { $0 }
    },
    .init("switchToLatest, one after the other", varies: "it leaves a stream for the next") {
      $0.map { numbers([$0, -$0]) }.switchToLatest()
    },
    .init("appended") { numbers([100, 200]).append($0) },
    .init("append, others behind") { $0.append(numbers([100, 200]).eraseToAnyPublisher()) },
    .init("merged with itself", varies: "its streams take turns") { $0.merge(with: $0) },
    .init("zip") { $0.zip(numbers(Array(0..<100))) { number, _ in number } },
    .init("zipped with itself") { $0.zip($0) { $0 + $1 } },
    .init("combined with itself", varies: "it drops what was not asked for") { $0.combineLatest($0) { $0 + $1 } },
    .init("caught") { failing($0).catch { _ in numbers([100, 200]) } },
    .init("the replacement of catch") { stream in failing(numbers([100, 200])).catch { _ in stream } },
    .init("retried") { failing($0).retry(1).catch { _ in Empty<Int, TestError>() } },
    .init("replaceError, at the end") { failing($0).replaceError(with: 100).setFailureType(to: TestError.self) },
    .init("multicast, latest value", varies: "its subject skips what was not asked for") {
      $0.multicast(subject: CurrentValueSubject(0)).autoconnect()
    },
    .init("a buffer of one") {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
    },
    .init("collect(3), in numbers") { $0.collect(3).flatMap(maxPublishers: .max(1)) { numbers($0) } },
    .init("encode, decode") {
      $0.encode(encoder: TextEncoder()).map { Int($0)! }.decode(type: Int.self, decoder: NumberDecoder())
    },
  ]

  static func numbers(_ numbers: [Int]) -> Publishers.Sequence<[Int], TestError> { .init(sequence: numbers) }

  static func failing(_ stream: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
    stream.append(Fail<Int, TestError>(error: .oops)).eraseToAnyPublisher()
  }
}
