// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A publisher that hands nothing over, whatever its upstream could: its behaviour is the rule for fusion.
struct Hidden<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: subscriber)
  }
}

/// The events of a stream, in order: the calls of the user's closures, and the signals that downstream gets.
final class Happenings {
  var log: [String] = []
  /// The actions that are still to be performed: a promise that is kept later.
  var later: [() -> Void] = []

  /// Called for each note, after it has been written.
  var onNote: (() -> Void)?

  func note(_ text: String) {
    log.append(text)
    onNote?()
  }

  func keepPromises() {
    let promises = later
    later = []
    for promise in promises { promise() }
  }
}

/// A publisher, or a subject: an inner publisher that stays among some that are fused.
///
/// It hands over whatever its publisher does; nothing outside of the library but this test implements that.
enum Either<Chosen: Publisher<Int, TestError>>: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  case publisher(Chosen)
  case subject(PassthroughSubject<Int, TestError>)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    switch self {
    case .publisher(let publisher): publisher.subscribe(subscriber)
    case .subject(let subject): subject.subscribe(subscriber)
    }
  }

  func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Int, Target.Failure == TestError {
    switch self {
    case .publisher(let publisher): publisher._fuse(into: target)
    case .subject(let subject): subject._fuse(into: target)
    }
  }
}

/// A use of a publisher of any type.
protocol Scene: Sendable {
  func run<P: Publisher<Int, TestError>>(_ publisher: P, _ happenings: Happenings)
}

/// A publisher that may be fused, with its type.
struct Fusible: CustomTestStringConvertible, Sendable {
  let testDescription: String
  private let play: @Sendable (any Scene, _ isHidden: Bool) -> [String]

  init<P: Publisher<Int, TestError> & SendableMetatype>(
    _ description: String, _ make: @escaping @Sendable (Happenings) -> P
  ) {
    testDescription = description
    play = { scene, isHidden in
      let happenings = Happenings()
      if isHidden {
        scene.run(Hidden(make(happenings)), happenings)
      } else {
        scene.run(make(happenings), happenings)
      }
      return happenings.log
    }
  }

  /// Returns the events of the publisher; as it is, or hidden.
  func happenings(in scene: any Scene, hidden isHidden: Bool) -> [String] { play(scene, isHidden) }
}

/// A sequence of the user's, in whose iterator code of the user's runs.
struct Told: Sequence, Sendable {
  nonisolated(unsafe) let happenings: Happenings
  let count: Int

  struct Iterator: IteratorProtocol {
    let happenings: Happenings
    let count: Int
    var last = 0

    mutating func next() -> Int? {
      happenings.note("next")
      if last == count { return nil }
      last += 1
      return last
    }
  }

  func makeIterator() -> Iterator {
    happenings.note("iterate")
    return Iterator(happenings: happenings, count: count)
  }
}

extension Int {
  fileprivate var doubled: Int { self * 2 }
}

extension Fusible {
  /// The publishers that are fused.
  static let sources: [Fusible] = joined([
    variants("Just") { _ in Just(1).setFailureType(to: TestError.self) },
    variants("Optional, some") { _ in Optional(1).publisher.setFailureType(to: TestError.self) },
    variants("Optional, none") { _ in Int?.none.publisher.setFailureType(to: TestError.self) },
    variants("Result, success") { _ in Result<Int, TestError>.success(1).publisher },
    variants("Result, failure") { _ in Result<Int, TestError>.failure(.oops).publisher },
    variants("Empty") { _ in Empty<Int, TestError>() },
    variants("Empty, never") { _ in Empty<Int, TestError>(completeImmediately: false) },
    variants("Fail") { _ in Fail<Int, TestError>(error: .oops) },
    sequences,
    deferred,
    futures,
  ])

  private static let sequences: [Fusible] = joined([
    variants("Sequence of an array") { _ in Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3, 4]) },
    variants("Sequence of no element") { _ in Publishers.Sequence<[Int], TestError>(sequence: []) },
    variants("Sequence of a range") { _ in Publishers.Sequence<Range<Int>, TestError>(sequence: 1..<5) },
    variants("Sequence of the user's") {
      Publishers.Sequence<Told, TestError>(sequence: Told(happenings: $0, count: 4))
    },
    variants("Sequence of the user's, empty") {
      Publishers.Sequence<Told, TestError>(sequence: Told(happenings: $0, count: 0))
    },
    variants("Record, finished") { _ in Record<Int, TestError>(output: [1, 2, 3], completion: .finished) },
    variants("Record, failed") { _ in Record<Int, TestError>(output: [1, 2, 3], completion: .failure(.oops)) },
  ])

  private static let deferred: [Fusible] = joined([
    variants("Deferred of Just") { happenings in
      Deferred { () -> Publishers.SetFailureType<Just<Int>, TestError> in
        happenings.note("make")
        return Just(1).setFailureType(to: TestError.self)
      }
    },
    variants("Deferred of an array") { happenings in
      Deferred { () -> Publishers.Sequence<[Int], TestError> in
        happenings.note("make")
        return Publishers.Sequence(sequence: [1, 2, 3])
      }
    },
    variants("Deferred of a failure") { happenings in
      Deferred { () -> AnyPublisher<Int, TestError> in
        happenings.note("make")
        return Fail(error: TestError.oops).eraseToAnyPublisher()
      }
    },
  ])

  private static let futures: [Fusible] = joined([
    variants("Future, resolved") { _ in Future<Int, TestError> { $0(.success(1)) } },
    variants("Future, failed") { _ in Future<Int, TestError> { $0(.failure(.oops)) } },
    variants("Future, never") { happenings in
      Future<Int, TestError> { promise in happenings.later.append { withExtendedLifetime(promise) {} } }
    },
    variants("Future, later") { happenings in
      Future<Int, TestError> { promise in happenings.later.append { promise(.success(1)) } }
    },
  ])

  /// Returns a publisher, and the same publisher with each of the operators that are fused with it.
  private static func variants<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [Fusible] {
    [
      Fusible(name, make),
      Fusible("\(name), erased") { make($0).eraseToAnyPublisher() },
      Fusible("\(name), map") { happenings in make(happenings).map { told(happenings, "map", $0 * 10) } },
      Fusible("\(name), erased, map") { happenings in
        make(happenings).eraseToAnyPublisher().map { told(happenings, "map", $0 * 10) }
      },
      Fusible("\(name), map, erased") { happenings in
        make(happenings).map { told(happenings, "map", $0 * 10) }.eraseToAnyPublisher()
      },
      Fusible("\(name), filter") { happenings in
        make(happenings).filter { told(happenings, "filter", $0 % 2 == 0) }
      },
      Fusible("\(name), compactMap") { happenings in
        make(happenings).compactMap { told(happenings, "compactMap", $0 == 2 ? nil : $0) }
      },
      Fusible("\(name), scan") { happenings in
        make(happenings).scan(100) { told(happenings, "scan", $0 + $1) }
      },
      Fusible("\(name), mapError") { happenings in
        make(happenings).mapError { told(happenings, "mapError", TestError("mapped \($0)")) }
      },
      Fusible("\(name), ignoreOutput") { make($0).ignoreOutput().map(number) },
      Fusible("\(name), key path") { make($0).map(\.doubled) },
      Fusible("\(name), two key paths") { make($0).map(\.doubled, \.description.count).map { $0 + $1 } },
      Fusible("\(name), three key paths") {
        make($0).map(\.doubled, \.description.count, \.byteSwapped).map { $0 + $1 + $2.signum() }
      },
      Fusible("\(name), a chain") { happenings in
        make(happenings).map { told(happenings, "first", $0 + 1) }.filter { told(happenings, "second", $0 != 3) }
          .scan(0) { told(happenings, "third", $0 + $1) }
          .mapError { told(happenings, "fourth", $0) }
      },
      Fusible("\(name), without failures") { happenings in
        make(happenings).catch { _ in Empty<Int, Never>() }.assertNoFailure().setFailureType(to: TestError.self)
      },
    ]
  }

  private static func joined(_ parts: [[Fusible]]) -> [Fusible] { parts.flatMap(\.self) }

  private static func number(_ never: Never) -> Int {}

  private static func told<Result>(_ happenings: Happenings, _ name: String, _ result: Result) -> Result {
    happenings.note("\(name) \(result)")
    return result
  }
}
