// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// What a pipeline did: what arrived downstream, and which calls upstream received.
private struct Course: Equatable {
  let events: [String]
  let complaints: [String]
  let calls: [ManualSubscription.Call]
}

/// The checked operators do what the plain ones do.
@Suite struct CheckedOperatorTests {
  /// Ways to drive a pipeline.
  enum Drive: CaseIterable {
    case unlimited, nothing, one, oneByOne, inside, cancelled, failing

    var demand: Subscribers.Demand? {
      switch self {
      case .unlimited, .failing: .unlimited
      case .nothing: nil
      case .one, .oneByOne, .inside, .cancelled: .max(1)
      }
    }
  }

  private func course(
    _ drive: Drive, _ build: (ManualPublisher<Int, TestError>, Twin.Clock) -> Twin.Shown
  ) -> Course {
    let upstream = ManualPublisher<Int, TestError>()
    let clock = Twin.Clock()
    let recorder = Recorder<String, any Error>(demand: drive.demand)
    if drive == .inside { recorder.onValue = { _ in .max(1) } }
    build(upstream, clock).subscribe(recorder)
    // An operator that subscribes later has no subscriber yet.
    clock.advance(by: 1)
    var returned = Subscribers.Demand.none
    for (sent, number) in [1, 2, 2, 3, 4].enumerated() {
      let requested = upstream.subscription!.requests.reduce(returned, +)
      guard upstream.subscription?.cancellations == 0, requested > .max(sent) else { break }
      returned += upstream.send(number)
      if drive == .oneByOne { recorder.request(.max(1)) }
      if drive == .cancelled, number == 2 { recorder.cancel() }
      clock.advance(by: 1)
    }
    if upstream.subscription?.cancellations == 0, !upstream.subscribers.isEmpty, drive != .nothing {
      upstream.send(completion: drive == .failing ? .failure(.oops) : .finished)
    }
    clock.advance(by: 5)
    let events = recorder.events.map { event in
      switch event {
      case .subscription(let text): "subscription \(text)"
      case .value(let value): value
      case .completion(let completion): "\(completion)"
      }
    }
    return Course(events: events, complaints: recorder.complaints, calls: upstream.calls)
  }

  @Test(arguments: Twin.all, Drive.allCases)
  func `A checked operator delivers, requests and cancels as the plain one does`(_ twin: Twin, _ drive: Drive) {
    let plain = course(drive) { twin.plain($0.eraseToAnyPublisher(), $1) }
    let checked = course(drive) {
      twin.checked(SendablePublisher(unchecked: $0).eraseToAnySendablePublisher(), $1)
    }
    #expect(plain == checked)
    #expect(!plain.events.isEmpty)
  }

  @Test(arguments: Twin.all)
  func `A checked operator holds nothing after the cancel`(_ twin: Twin) {
    var graveyard = Graveyard()
    do {
      let upstream = graveyard.watch(ManualPublisher<Int, TestError>(), "upstream")
      let recorder = graveyard.watch(Recorder<String, any Error>(), "recorder")
      let clock = Twin.Clock()
      twin.checked(SendablePublisher(unchecked: upstream).eraseToAnySendablePublisher(), clock).subscribe(recorder)
      clock.advance(by: 1)
      recorder.cancel()
      clock.advance(by: 5)
      upstream.releaseSubscribers()
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `The list of twins has every family`() {
    #expect(Twin.all.count > 60)
    #expect(Set(Twin.all.map(\.testDescription)).count == Twin.all.count)
  }
}
