// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// What a person reads about a stream, for every operator.
@Suite struct OperatorNamesTests {
  private static let endings = [
    "Rule", "Storage", "FanOut", "Subscription", "Stage", "Link", "Part", "Core", "Engine", "Handler",
  ]

  @Test func `No operator shows a type with its arguments, or a name that only the library knows`() {
    let all = OperatorSpec.all + OperatorSpec.beyond + OperatorSpec.beyondDelaying + OperatorSpec.sources
    var shown = 0
    for spec in all {
      let subject = PassthroughSubject<Int, TestError>()
      let label = "names of \(spec.name)"
      let cancellable = spec.apply(subject.eraseToAnyPublisher()).inspected(label)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      for stream in Inspector.snapshot().streams where stream[label] != nil {
        shown += 1
        #expect(!"\(stream) \(stream.why)".contains("<"), "\(stream)")
        for link in stream.links {
          for name in [link.name, link.publisher, link.subscriber].compactMap(\.self) + link.passes {
            #expect(!Self.endings.contains { name.hasSuffix($0) }, "\(name) in \(stream)")
          }
        }
      }
      cancellable.cancel()
    }
    // Few end at once, and have nothing to show.
    #expect(shown > all.count - 20, "\(shown) of \(all.count)")
  }
}
