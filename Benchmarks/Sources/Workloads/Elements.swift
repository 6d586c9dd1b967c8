// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Delivers the elements of a sequence.
///
/// The benchmarks' own publisher, so that the operators on it are `Publisher`'s. `Publishers.Sequence` has eager
/// overloads of most of them, which process the elements before a subscription: `(0..<n).publisher.map { … }` never
/// runs `map`.
struct Elements<Base: Sequence>: Publisher {
  typealias Output = Base.Element
  typealias Failure = Never

  let base: Base

  init(_ base: Base) { self.base = base }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Base.Element, S.Failure == Never {
    base.publisher.subscribe(subscriber)
  }
}
