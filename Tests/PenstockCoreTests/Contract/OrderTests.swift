// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A value that is sent during a delivery nests, but overtakes nothing that another thread has sent before.
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
      // The first of them comes before the request, the others after it.
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

  /// A value that cancels subscriptions when it dies.
  private final class Closing: Sendable {
    private let subscriptions: UncheckedBox<[any Subscription]>

    init(_ subscriptions: [any Subscription]) { self.subscriptions = UncheckedBox(subscriptions) }

    deinit {
      for subscription in subscriptions.value { subscription.cancel() }
    }
  }

  @Test func `A queued value whose deinit cancels all subscriptions leaves nothing in memory`() {
    expectNothingLeft { PassthroughSubject() }
    expectNothingLeft { CurrentValueSubject(nil) }
  }

  private func expectNothingLeft(of make: () -> some Subject<Closing?, Never> & SendableMetatype) {
    weak var watched: AnyObject?
    let recorders = (0..<2).map { _ in Recorder<Bool, Never>() }
    do {
      let subject = UncheckedBox(make())
      watched = subject.value
      let hasSent = Locked(false)
      recorders[0].onValue = { isClosing in
        if isClosing {
          // A subject that keeps its value does not keep this one: it dies where it was queued, as the last signal. A
          // value after it, or any other signal, would clear away what it leaves.
          subject.value.send(nil)
        } else if recorders[1].subscriptions.count == 1, !hasSent.value {
          hasSent.change { $0 = true }
          let all = UncheckedBox(recorders.flatMap(\.subscriptions))
          elsewhere { subject.value.send(Closing(all.value)) }
        }
        return .none
      }
      for recorder in recorders { subject.value.map { $0 != nil }.subscribe(recorder) }
      subject.value.send(nil)
      #expect(recorders[0].values.contains(true))
    }
    for recorder in recorders {
      recorder.onValue = nil
      recorder.releaseSubscriptions()
    }
    #expect(watched == nil)
  }
}
