// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// Both sides of a law below the same subjects, to which two threads send.
///
/// A subject delivers to one subscriber after the other, one value at a time: so both sides see the same values, in the
/// same order, whatever the threads do. With several subjects the order among them is open, and only results that do
/// not depend on it are compared.
enum LawRace {
  /// Starting threads is slow.
  private static let every: UInt64 = 40
  private static let count = 40

  private final class Received: Sendable {
    let lines = Guard<[Int]>([])
  }

  /// The difference, if there is one.
  static func finding(seed: UInt64) -> String? {
    guard seed / 4 % every == 0 else { return nil }
    var random = Randomness(seed: seed)
    let laws = Law.all.filter { $0.arity == 1 || $0.scope == .unordered }
    let law = random.pick(laws)
    let (n, m) = (random.number(1...4), random.number(1...4))
    let subjects = (0..<law.arity).map { _ in PassthroughSubject<Int, ModelError>() }
    let site = Law.Site(upstreams: subjects.map { $0.eraseToAnyPublisher() }, n: n, m: m)
    let received = [Received(), Received()]
    let cancellables = zip([law.left, law.right], received).map { side, received in
      side(site).sink(
        receiveCompletion: { completion in
          received.lines.change { $0.append(completion == .finished ? .max : .min) }
        }, receiveValue: { value in received.lines.change { $0.append(value) } })
    }
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 0..<count { for subject in subjects { subject.send(number &* 2 &+ thread) } }
    }
    for subject in subjects { subject.send(completion: .finished) }
    let sides = withExtendedLifetime(cancellables) {
      received.map { law.arity == 1 ? $0.lines.value : $0.lines.value.sorted() }
    }
    if sides[0] == sides[1] { return nil }
    return """
      // Two threads send 0, 2, 4 … and 1, 3, 5 … up to \(count) values each; n is \(n), m is \(m).
      // left:  \(law.texts.left)
      //        \(sides[0])
      // right: \(law.texts.right)
      //        \(sides[1])
      """
  }
}
