// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between `Subscribers.Assign` and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct AssignDivergences {
  private final class Gauge {
    var level = 0 { didSet { onChange?() } }
    var onChange: (() -> Void)?
    init() {}
  }

  /// Combine's forgets it: users of `subscribe(on:)` reach that state and lose their cancel.
  @Test func `An assignment remembers a cancel that comes before its subscription`() {
    let assign = Subscribers.Assign(object: Gauge(), keyPath: \.level)
    assign.cancel()
    let subscription = ManualSubscription()
    assign.receive(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
    #expect(assign.object == nil)
  }

  /// The object is used without a lock, so it is freed when the source reports that no delivery is running: after the
  /// cancel of upstream, where Combine frees it before.
  @Test func `An assignment cancelled during a delivery keeps its object until the delivery has ended`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable?
    var survivorsInside: [String] = []
    do {
      let gauge = graveyard.watch(Gauge(), "object")
      let look = { [graveyard] in graveyard.survivors }
      gauge.onChange = {
        cancellable?.cancel()
        survivorsInside = look()
      }
      cancellable = subject.assign(to: \.level, on: gauge)
    }
    subject.send(1)
    #expect(survivorsInside == ["object"])
    #expect(graveyard.survivors.isEmpty)
  }
}
