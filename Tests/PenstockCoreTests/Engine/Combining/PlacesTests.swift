// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct PlacesTests {
  @Test(arguments: [1, 64, 65, 1_000])
  func `Whatever comes and goes, the lowest place is taken first`(_ limit: Int) {
    var random = SystemRandomNumberGenerator()
    var places = Places()
    var expected: Set<Int> = []
    for _ in 0..<2_000 {
      let place = Int.random(in: 0..<limit, using: &random)
      if Bool.random(using: &random) {
        if expected.insert(place).inserted { places.insert(place) }
      } else {
        let lowest = expected.min()
        #expect(places.popMin() == lowest)
        if let lowest { expected.remove(lowest) }
      }
      #expect(places.count == expected.count)
    }
    for place in expected.sorted() { #expect(places.popMin() == place) }
    #expect(places.popMin() == nil)
  }
}
