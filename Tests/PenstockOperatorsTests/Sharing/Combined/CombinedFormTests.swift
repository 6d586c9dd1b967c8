// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// Sharing and related operators upstream of combining ones have the same meaning in every form.
@Suite struct CombinedFormTests {
  @Test(arguments: CombinedSource<Never>.all)
  func `A combined publisher delivers the same in every form`(_ source: CombinedSource<Never>) {
    #expect(differences(of: source).isEmpty)
  }

  @Test(arguments: CombinedSource<TestError>.all)
  func `A combined publisher that fails delivers the same in every form`(_ source: CombinedSource<TestError>) {
    #expect(differences(of: source).isEmpty)
  }

  @Test(arguments: Sharing.allCases.filter { ![.multicastCurrent, .connectedLater, .autoconnectAtLeast].contains($0) })
  func `combineLatest has the value of the first upstream when it asks the second`(_ sharing: Sharing) {
    for form in CombinedForm.allCases {
      let signals = CombinedRun.signals(
        of: CombinedSource<Never>("Just", sharing, of: { Just(1) }), .sequenceBehind, .combineLatest, form)
      #expect(signals == ["(1, 0)", "(1, 9)", "finished"], "\(form)")
    }
  }

  @Test(arguments: CombiningOperator.allCases)
  func `share(keepingFor:) is asked as share() is`(_ combining: CombiningOperator) {
    for pairing in Pairing.allCases {
      #expect(signals(.keeping, pairing, combining) == signals(.share, pairing, combining), "\(pairing)")
    }
  }

  @Test(arguments: [Sharing.bounded, .newest, .oldest, .unbounded])
  func `Upstreams are asked in their order, as with share()`(_ sharing: Sharing) {
    // A subscriber that requests when its upstream has already been asked misses values that share() does not keep for
    // it.
    let once = CombiningOperator.allCases.filter { ![.combineLatest3, .mergeMany].contains($0) }
    for pairing in Pairing.allCases where pairing != .itself {
      for combining in once {
        #expect(signals(sharing, pairing, combining) == signals(.share, pairing, combining), "\(combining), \(pairing)")
      }
    }
  }

  private func signals(_ sharing: Sharing, _ pairing: Pairing, _ combining: CombiningOperator) -> [String] {
    CombinedRun.signals(
      of: CombinedSource<Never>("sequence", sharing, of: { [1, 2, 3].publisher }), pairing, combining, .asWritten)
  }

  private func differences<Failure: Error>(of source: CombinedSource<Failure>) -> [String] {
    var differences: [String] = []
    for pairing in Pairing.allCases {
      for combining in CombiningOperator.allCases {
        let expected = CombinedRun.signals(of: source, pairing, combining, .asWritten)
        for form in CombinedForm.allCases.dropFirst() {
          let signals = CombinedRun.signals(of: source, pairing, combining, form)
          if signals != expected {
            differences.append("\(combining) with \(pairing), \(form): \(signals), not \(expected)")
          }
        }
      }
    }
    return differences
  }
}
