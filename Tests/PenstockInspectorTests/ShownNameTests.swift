// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockInspector
import PenstockOperators
import TestSupport
import Testing

/// An object with published properties.
private final class Model: ObservableObject {
  @Published var number = 1
}

@Suite struct ShownNameTests {
  private typealias Numbers = AnyPublisher<Int, Never>

  @Test func `No name in a stream is a type with its arguments, or one that only the library knows`() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let other = CurrentValueSubject<Int, Never>(0)
    let model = Model()
    let queue = DispatchQueue(label: "names")
    let pipelines: [Numbers] = [
      subject.append(other).eraseToAnyPublisher(), subject.prepend(1, 2).eraseToAnyPublisher(),
      subject.share().eraseToAnyPublisher(), subject.share(buffering: .bounded(4)).eraseToAnyPublisher(),
      subject.shareReplay(capacity: 2).eraseToAnyPublisher(), model.$number.eraseToAnyPublisher(),
      subject.tryMap { $0 }.retry(2).replaceError(with: 0).eraseToAnyPublisher(),
      subject.flatMap { Just($0) }.eraseToAnyPublisher(),
      subject.map { Just($0) }.switchToLatest().eraseToAnyPublisher(),
      subject.zip(other).map(+).eraseToAnyPublisher(), subject.merge(with: other).eraseToAnyPublisher(),
      subject.combineLatest(other).map(+).eraseToAnyPublisher(), subject.collect(2).map(\.count).eraseToAnyPublisher(),
      subject.debounce(for: 1, scheduler: queue).eraseToAnyPublisher(),
      subject.delay(for: 1, scheduler: queue).eraseToAnyPublisher(),
      subject.receive(on: queue).eraseToAnyPublisher(),
      subject.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher(),
      subject.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher(),
      Future<Int, Never> { _ in }.eraseToAnyPublisher(),
      subject.drop(untilOutputFrom: other).eraseToAnyPublisher(),
      subject.prefix(untilOutputFrom: PassthroughSubject<Int, Never>()).eraseToAnyPublisher(),
      subject.tryMap { $0 }.catch { _ in other }.eraseToAnyPublisher(),
      subject.removeDuplicates().dropFirst().last().eraseToAnyPublisher(),
    ]
    for (number, pipeline) in pipelines.enumerated() {
      let label = "shown name \(number)"
      let cancellable = pipeline.inspected(label).sink { _ in }
      let stream = try #require(Inspector.snapshot().streams.first { $0[label] != nil }, "\(label): \(pipeline)")
      #expect(!stream.description.contains("<"), "\(stream)")
      for link in stream.links {
        for name in [link.name, link.publisher, link.subscriber].compactMap(\.self) + link.passes {
          let isKnown = !["Rule", "Storage", "FanOut", "Subscription", "Link", "Part"].contains { name.hasSuffix($0) }
          #expect(isKnown, "\(name) in \(stream)")
        }
      }
      cancellable.cancel()
    }
  }
}
