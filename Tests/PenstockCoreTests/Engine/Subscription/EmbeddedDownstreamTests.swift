// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Operators and subjects that keep their downstream in their own memory, if it is not too large for it.
@Suite struct EmbeddedDownstreamTests {
  private final class Box {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  private struct Broken: Error {}

  enum Embedding: CaseIterable {
    case subject, append, prepend, catches, retry, replaceEmpty, replaceError, buffer
  }

  enum Size: CaseIterable {
    /// A reference.
    case word
    /// The largest size that is kept in place.
    case full
    /// More than is kept in place.
    case large
  }

  private static func sink<P: Publisher>(
    _ publisher: P, size: Size, canary: Canary, _ receive: @escaping (Int) -> Void
  ) -> AnyCancellable where P.Output == Box, P.Failure == Never {
    let use = { (box: Box) -> Box in withExtendedLifetime(canary) { box } }
    let keep = { (box: Box) -> Bool in withExtendedLifetime(canary) { true } }
    switch size {
    case .word:
      return publisher.sink { receive(use($0).number) }
    case .full:
      let three = publisher.map(use).filter(keep).map(use)
      return three.sink { receive($0.number) }
    case .large:
      let six = publisher.map(use).filter(keep).map(use).filter(keep).map(use).filter(keep)
      return six.sink { receive($0.number) }
    }
  }

  private static func attach(
    _ embedding: Embedding, to subject: PassthroughSubject<Box, Never>, size: Size, canary: Canary,
    _ receive: @escaping (Int) -> Void
  ) -> AnyCancellable {
    let failing = subject.setFailureType(to: Broken.self)
    return switch embedding {
    case .subject: sink(subject, size: size, canary: canary, receive)
    case .append: sink(subject.append(Box(9)), size: size, canary: canary, receive)
    case .prepend: sink(subject.prepend(Box(0)), size: size, canary: canary, receive)
    case .catches: sink(failing.catch { _ in Empty() }, size: size, canary: canary, receive)
    case .retry: sink(subject.retry(1), size: size, canary: canary, receive)
    case .replaceEmpty: sink(subject.replaceEmpty(with: Box(9)), size: size, canary: canary, receive)
    case .replaceError: sink(failing.replaceError(with: Box(9)), size: size, canary: canary, receive)
    case .buffer:
      sink(
        subject.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest), size: size, canary: canary, receive)
    }
  }

  @Test(arguments: Embedding.allCases, Size.allCases)
  func `What is embedded receives every value, and is released, whatever its size`(embedding: Embedding, size: Size) {
    for ends in [true, false] {
      var graveyard = Graveyard()
      var received: [Int] = []
      do {
        let canary = graveyard.watch(Canary(), "closure")
        let subject = graveyard.watch(PassthroughSubject<Box, Never>(), "subject")
        let cancellable = Self.attach(embedding, to: subject, size: size, canary: canary) { received.append($0) }
        for number in 1...3 { subject.send(graveyard.watch(Box(number), "value \(number)")) }
        if ends { subject.send(completion: .finished) } else { cancellable.cancel() }
      }
      let expected =
        switch embedding {
        case .prepend: [0, 1, 2, 3]
        case .append where ends: [1, 2, 3, 9]
        default: [1, 2, 3]
        }
      #expect(received == expected)
      #expect(graveyard.survivors.isEmpty)
    }
  }
}
