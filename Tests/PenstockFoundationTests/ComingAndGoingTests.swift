// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

extension Coming {
  static let ofFoundation: [Coming] = [
    .init("subscribers of a timer") {
      let timer = Timer.publish(every: 1_000, on: .main, in: .default)
      let stays = timer.sink { _ in }
      return { _ in
        let all = (0..<10).map { _ in timer.sink { _ in } }
        for cancellable in all { cancellable.cancel() }
        withExtendedLifetime(stays) {}
      }
    },
    .init("subscribers to notifications") {
      let (center, name) = (NotificationCenter(), Notification.Name("penstock"))
      return { _ in
        let cancellable = center.publisher(for: name).sink { _ in }
        center.post(name: name, object: nil)
        cancellable.cancel()
      }
    },
  ]
}

@Suite struct ComingAndGoingTests {
  /// In a process of its own, where no other test uses the heap.
  @Test func `What a publisher keeps does not depend on how often it has been joined and left`() async {
    await #expect(processExitsWith: .success) {
      let growing = Coming.growing(Coming.ofFoundation)
      #expect(growing.isEmpty, "\(growing)")
    }
  }

  /// With a linear search for each subscriber this would take a quarter of an hour.
  @Test(.timeLimit(.minutes(10)))
  func `Leaving a timer costs the same whatever the number of its subscribers`() {
    let timer = Timer.publish(every: 1_000, on: .main, in: .default)
    let count = 100_000.sampled(oneIn: 5)
    let all = (0..<count).map { _ in timer.sink { _ in } }
    for cancellable in all.reversed() { cancellable.cancel() }
    let others = (0..<count).map { _ in timer.sink { _ in } }
    for cancellable in others { cancellable.cancel() }
  }
}
