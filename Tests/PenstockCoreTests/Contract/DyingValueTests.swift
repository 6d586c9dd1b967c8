// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A value that sends another one to its subject when it is deinitialised.
private final class Echo: Sendable {
  let number: Int
  private let subject: Locked<PassthroughSubject<Echo, Never>?>

  init(_ number: Int, to subject: Locked<PassthroughSubject<Echo, Never>?>) {
    self.number = number
    self.subject = subject
  }

  deinit {
    if number > 0 { subject.value?.send(Echo(0, to: subject)) }
  }
}

/// An operator that keeps values between signals.
private struct Keeping: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let attach: @Sendable (PassthroughSubject<Echo, Never>) -> AnyCancellable

  init<P: Publisher & SendableMetatype>(
    _ description: String, _ apply: @escaping @Sendable (PassthroughSubject<Echo, Never>) -> P
  ) where P.Failure == Never {
    testDescription = description
    attach = { apply($0).sink { _ in } }
  }

  static let all: [Keeping] = [
    Keeping("last") { $0.last() },
    Keeping("last(where:)") { $0.last { _ in true } },
    Keeping("max") { $0.max { _, _ in true } },
    Keeping("min") { $0.min { _, _ in false } },
    Keeping("reduce") { $0.reduce(nil as Echo?) { $1 } },
    Keeping("scan") { $0.scan(nil as Echo?) { $1 } },
    Keeping("removeDuplicates") { $0.removeDuplicates { _, _ in false } },
    Keeping("collect") { $0.collect() },
    Keeping("collect(_:)") { $0.collect(2) },
    Keeping("combineLatest") { $0.combineLatest(Just(0)) },
    Keeping("zip") { $0.zip(Just(0)) },
    Keeping("merge") { $0.merge(with: Empty()) },
    Keeping("flatMap") { $0.flatMap { Just($0) } },
    Keeping("switchToLatest") { $0.map { Just($0) }.switchToLatest() },
    Keeping("buffer") { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest).first { _ in false } },
    Keeping("debounce") { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) },
    Keeping("throttle") { $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true) },
    Keeping("multicast") { subject in
      subject.map { $0 as Echo? }.multicast { CurrentValueSubject(nil) }.autoconnect()
    },
    Keeping("append") { $0.append(Empty()) },
  ]
}

@Suite struct DyingValueTests {
  @Test(arguments: Keeping.all)
  fileprivate func `A kept value may send when it dies, and each value dies once`(_ operator: Keeping) {
    for _ in 0..<100 {
      let subject = Locked<PassthroughSubject<Echo, Never>?>(PassthroughSubject())
      let cancellable = subject.value.map { `operator`.attach($0) }
      for number in 1...5 { subject.value?.send(Echo(number, to: subject)) }
      subject.value?.send(completion: .finished)
      subject.change { $0 = nil }
      cancellable?.cancel()
    }
  }
}
