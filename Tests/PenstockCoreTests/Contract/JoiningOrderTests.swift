// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import TestSupport
import Testing

/// A subscriber joins while another thread delivers, and its own thread sends within a delivery to it.
@Suite struct JoiningOrderTests {
  @Test func `What has been stored for a joining subscriber does not come within its snapshot`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let events = join(subject.eraseToAnyPublisher(), send: subject.send, sendingWithin: 1)
    #expect(events == ["1", "1 over", "2", "2 over", "3", "3 over", "4", "4 over"])
  }

  @Test func `What has been stored for a joining subscriber does not come within a value before it`() {
    let subject = PassthroughSubject<Int, Never>()
    let events = join(subject.eraseToAnyPublisher(), send: subject.send, sendingWithin: 2)
    #expect(events == ["2", "2 over", "3", "3 over", "4", "4 over"])
  }

  /// Lets a subscriber join while another thread sends 1, 2 and 3, and send 4 within its first value.
  ///
  /// A second subscriber keeps that thread in the delivery of 1 until the first one is joining; 2 and 3 are stored for
  /// the first one. When that sends 4, no other thread is delivering.
  ///
  /// - Returns: The order in which the values come and their deliveries end.
  private func join(
    _ publisher: AnyPublisher<Int, Never>, send: @escaping (Int) -> Void, sendingWithin first: Int
  ) -> [String] {
    let (isJoining, isSent) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isDelivering = DispatchSemaphore(value: 0)
    let events = Locked<[String]>([])
    let staying = publisher.sink { value in
      guard value == 1 else { return }
      isDelivering.signal()
      #expect(isJoining.wait(timeout: .now() + 60) == .success)
    }
    let feed = UncheckedBox((publisher: publisher, send: send))
    onThreads(2) { index in
      if index == 0 {
        for value in 1...3 { feed.value.send(value) }
        isSent.signal()
        return
      }
      #expect(isDelivering.wait(timeout: .now() + 60) == .success)
      func letOthersSend() {
        isJoining.signal()
        #expect(isSent.wait(timeout: .now() + 60) == .success)
      }
      let joining = AnySubscriber<Int, Never>(
        receiveSubscription: { subscription in
          subscription.request(.unlimited)
          if first == 2 { letOthersSend() }
        },
        receiveValue: { value in
          events.change { $0.append("\(value)") }
          if value == 1 { letOthersSend() }
          if value == first { feed.value.send(4) }
          events.change { $0.append("\(value) over") }
          return .none
        })
      feed.value.publisher.subscribe(joining)
    }
    withExtendedLifetime(staying) {}
    return events.value
  }
}
