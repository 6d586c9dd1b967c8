// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A value sent during a delivery nests, but never overtakes what another thread has sent before.
@Suite struct OrderTests {
  @Test(arguments: SharedSource.all)
  func `A nested send goes behind what another thread has queued, and nothing is lost`(_ source: SharedSource) {
    let feed = UncheckedBox(source.make())
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere { feed.value.send(2) }
      feed.value.send(3)
      return .none
    }
    for recorder in [first, second] { feed.value.publisher.subscribe(recorder) }
    feed.value.send(1)
    for recorder in [first, second] { #expect(recorder.values.filter { $0 > 0 } == [1, 2, 3]) }
  }

  @Test(arguments: SubjectKind.allCases)
  func `A nested send goes behind what has been taken from the queue and has not had its turn`(_ kind: SubjectKind) {
    let subject = UncheckedBox(kind.make())
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    first.onValue = { value in
      if value == 1 { elsewhere { for value in [2, 3] { subject.value.send(value) } } }
      if value == 2 { subject.value.send(4) }
      return .none
    }
    for recorder in [first, second] { subject.value.subscribe(recorder) }
    subject.value.send(1)
    for recorder in [first, second] { #expect(recorder.sent == [1, 2, 3, 4]) }
  }

  @Test func `A request in excess takes nothing from a subscriber that is owed what is queued`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere { for value in [2, 3] { subject.send(value) } }
      recorder.request(.max(1))
      return .none
    }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test func `A subscriber that asks too late gets what was the latest then, and all that follows`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (busy, late) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: .max(1)))
    busy.onValue = { value in
      guard value == 1 else { return .none }
      // The first of them is sent before the request, the others after it.
      elsewhere {
        subject.send(2)
        late.request(.unlimited)
        for value in [3, 4] { subject.send(value) }
      }
      return .none
    }
    for recorder in [busy, late] { subject.subscribe(recorder) }
    subject.send(1)
    #expect(late.values.suffix(3) == [2, 3, 4])
    #expect(busy.values == [0, 1, 2, 3, 4])
  }

  /// A value that cancels a subscription when it is deinitialised.
  private final class Closing: Sendable {
    private let subscription: UncheckedBox<any Subscription>

    init(_ subscription: any Subscription) { self.subscription = UncheckedBox(subscription) }

    deinit { subscription.value.cancel() }
  }

  @Test func `A queued value whose deinit cancels a subscription leaves nothing in memory`() {
    expectNothingLeft { PassthroughSubject() }
    expectNothingLeft { CurrentValueSubject(nil) }
  }

  private func expectNothingLeft(of make: () -> some Subject<Closing?, Never> & SendableMetatype) {
    weak var watched: AnyObject?
    let busy = Recorder<Bool, Never>()
    let closed = Recorder<Bool, Never>()
    do {
      let subject = UncheckedBox(make())
      watched = subject.value
      let isSent = Locked(false)
      busy.onValue = { _ in
        guard let subscription = closed.subscriptions.first.map(UncheckedBox.init), !isSent.value else { return .none }
        isSent.change { $0 = true }
        // Released in the queue, since a subject that keeps its current value does not keep this one.
        elsewhere {
          subject.value.send(Closing(subscription.value))
          subject.value.send(nil)
        }
        return .none
      }
      subject.value.map { $0 == nil }.subscribe(busy)
      subject.value.map { $0 == nil }.subscribe(closed)
      subject.value.send(nil)
      #expect(busy.values.contains(false) && isSent.value)
      busy.cancel()
    }
    for recorder in [busy, closed] {
      recorder.onValue = nil
      recorder.releaseSubscriptions()
    }
    #expect(watched == nil)
  }
}
