// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import TestSupport
import Testing

/// A sequence upstream gets the demand for the next value as the answer to the one before.
@Suite struct FlatteningAnswerTests {
  @Test func `A sequence is asked once, and then answered`() async {
    // In a process of its own: the list has all streams.
    await #expect(processExitsWith: .success) { () async throws in
      let last = PassthroughSubject<Int, Never>()
      let inner = { (number: Int) in number < 99 ? Just(number).eraseToAnyPublisher() : last.eraseToAnyPublisher() }
      var sums = [0, 0]
      let numbers = (0..<200).publisher
      let cancellables = [
        numbers.concatMap(inner).sink { sums[0] += $0 },
        numbers.flatMapSequential(maxPublishers: .max(1), prefetch: 1, inner).sink { sums[1] += $0 },
      ]
      var requests: [UInt] = []
      liveLinks.forEach { link in
        guard let loop = link.object as? LoopSubscription else { return }
        var shown = LinkState()
        loop.show(in: &shown)
        requests.append(shown.moves)
      }
      #expect(requests == [1, 1])
      #expect(sums == [4851, 4851])
      withExtendedLifetime(cancellables) {}
    }
  }
}
