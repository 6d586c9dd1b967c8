// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators

/// A reader that gets the combined publisher, whose type it does not know.
protocol CombinedReader {
  func read<P: Publisher>(_ publisher: P)
}

/// An operator that subscribes to two publishers, or to one after or for a value of the other.
enum CombiningOperator: String, CaseIterable, Sendable {
  case combineLatest, combineLatest3, zip, merge, mergeMany, combineLatestDelayingErrors, mergeDelayingErrors
  case withLatestFrom, sequenceEqual, prefixUntil, dropUntil, amb
  case append, prepend
  case flatMap, switchToLatest, concatMap, flatMapFirst, flatMapSequential

  func combine<A: Publisher, B: Publisher>(_ a: A, _ b: B, for reader: some CombinedReader)
  where A.Output == Int, B.Output == Int, A.Failure == B.Failure {
    switch self {
    case .combineLatest: reader.read(a.combineLatest(b))
    case .combineLatest3: reader.read(a.combineLatest(b, a))
    case .zip: reader.read(a.zip(b))
    case .merge: reader.read(a.merge(with: b))
    case .mergeMany: reader.read(Publishers.MergeMany(a, a).merge(with: b))
    case .combineLatestDelayingErrors: reader.read(a.combineLatestDelayingErrors(b))
    case .mergeDelayingErrors: reader.read(a.mergeDelayingErrors(with: b))
    case .withLatestFrom: reader.read(a.withLatestFrom(b) { ($0, $1) })
    case .sequenceEqual: reader.read(a.sequenceEqual(b))
    case .prefixUntil: reader.read(a.prefix(untilOutputFrom: b))
    case .dropUntil: reader.read(a.drop(untilOutputFrom: b))
    case .amb: reader.read(a.amb(b))
    case .append: reader.read(a.append(b))
    case .prepend: reader.read(a.prepend(b))
    case .flatMap: reader.read(a.flatMap { _ in b })
    case .switchToLatest: reader.read(a.map { _ in b }.switchToLatest())
    case .concatMap: reader.read(a.concatMap { _ in b })
    case .flatMapFirst: reader.read(a.flatMapFirst { _ in b })
    case .flatMapSequential: reader.read(a.flatMapSequential { _ in b })
    }
  }
}

/// The publisher with which another one is combined.
enum Pairing: String, CaseIterable, Sendable {
  case itself, another, sequenceBehind, sequenceBefore, subject, just, empty

  /// Combines a publisher, and then lets the events happen.
  func combine<Failure: Error>(
    _ source: CombinedSource<Failure>, by combining: CombiningOperator, in form: CombinedForm,
    for reader: some CombinedReader
  ) {
    let feed = source.make()
    var later = feed.later
    var other: any Publisher<Int, Failure> = Publishers.Sequence<[Int], Failure>(sequence: [0, 9])
    switch self {
    case .itself: other = feed.publisher
    case .another:
      let next = source.make()
      other = next.publisher
      later = {
        feed.later()
        next.later()
      }
    case .sequenceBehind, .sequenceBefore: break
    case .subject:
      let subject = PassthroughSubject<Int, Failure>()
      other = subject
      later = {
        subject.send(0)
        feed.later()
        subject.send(9)
      }
    case .just: other = Result<Int, Failure>.Publisher(0)
    case .empty: other = Empty<Int, Failure>()
    }
    let (first, second) = self == .sequenceBefore ? (other, feed.publisher) : (feed.publisher, other)
    form.combine(first, second, by: combining, for: reader)
    later()
  }
}
