// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between leaf publishers and Combine's, with their reasons.
@Suite struct SourceDivergences {
  /// Combine still sends `.finished`.
  ///
  /// No delivery may start after a cancel has returned: that rule holds for every source here, so a subscriber need not
  /// know what it is attached to.
  @Test(arguments: OneValue.allCases)
  func `A cancel from inside of the only delivery suppresses the completion`(_ source: OneValue) {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    source.publisher(7).subscribe(recorder)
    #expect(recorder.events == [.subscription(source.rawValue), .value(7)])
  }

  /// Combine serves it at once, and so delivers to a subscriber that is still being introduced.
  @Test func `A request from another thread waits until the subscriber has been introduced`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    let early = Locked(0)
    recorder.onSubscription = { subscription in
      let box = UncheckedBox(subscription)
      elsewhere { box.value.request(.unlimited) }
      early.change { $0 = recorder.values.count }
    }
    Publishers.Sequence<[Int], Never>(sequence: [1, 2]).subscribe(recorder)
    #expect(early.value == 0)
    #expect(recorder.values == [1, 2])
  }

  /// Combine's subscription of these is not guarded: two requests at once may deliver twice there.
  @Test(arguments: OneValue.allCases)
  func `A request while another thread is delivering does not deliver again`(_ source: OneValue) {
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { _ in
      elsewhere { probe.request(.max(1)) }
      return .none
    }
    source.publisher(7).subscribe(probe)
    probe.request(.max(1))
    #expect(probe.values == [7])
    #expect(probe.completions.count == 1)
    #expect(probe.isSerial)
  }

  /// Combine appends to the collection of the publisher that is prepended, where it is.
  @Test func `A collection that is a class is left alone by prepend`() {
    let (first, second) = (Shelf([1, 2]), Shelf([3, 4]))
    let publisher = Publishers.Sequence<Shelf, Never>(sequence: second).prepend(.init(sequence: first))
    #expect(Array(publisher.sequence) == [1, 2, 3, 4])
    #expect(first.items == [1, 2])
    #expect(second.items == [3, 4])
  }
}

/// A collection whose copies are one object.
private final class Shelf: RangeReplaceableCollection {
  private(set) var items: [Int]

  init() { items = [] }

  convenience init(_ items: [Int]) {
    self.init()
    self.items = items
  }

  var startIndex: Int { 0 }
  var endIndex: Int { items.count }
  subscript(place: Int) -> Int { items[place] }
  func index(after place: Int) -> Int { place + 1 }
  func replaceSubrange(_ range: Range<Int>, with other: some Collection<Int>) {
    items.replaceSubrange(range, with: other)
  }
}
