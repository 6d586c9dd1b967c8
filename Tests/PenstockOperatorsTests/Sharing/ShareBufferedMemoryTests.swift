// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// What `share(buffering:)` keeps, and for how long.
@Suite struct ShareBufferedMemoryTests {
  @Test(arguments: ShareBufferedTests.policies)
  func `A value that all have taken is freed`(_ policy: ShareBufferingPolicy) {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.share(buffering: policy)
    let sinks = (0..<3).map { _ in shared.sink { _ in } }
    for _ in 0..<5 { source.send(graveyard.watch(Canary())) }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(sinks) {}
  }

  @Test(arguments: [
    (ShareBufferingPolicy.bounded(4), 4), (.newest(2), 2), (.newest(0), 0), (.oldest(2), 2), (.oldest(0), 0),
    (.unbounded, 4),
  ])
  func `As much waits as the policy says, once for all subscribers, and until they leave`(
    _ policy: ShareBufferingPolicy, _ count: Int
  ) {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.share(buffering: policy)
    let slow = (0..<3).map { _ in Recorder<Canary, Never>(demand: nil) }
    let fast = shared.sink { _ in }
    for recorder in slow { shared.subscribe(recorder) }
    for _ in 0..<4 { source.send(graveyard.watch(Canary())) }
    #expect(graveyard.survivors.count == count)
    slow[0].cancel()
    slow[1].cancel()
    #expect(graveyard.survivors.count == count)
    slow[2].cancel()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(fast) {}
  }

  @Test func `Values that only others have taken do not stay behind those that one refuses to take`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.share(buffering: .oldest(2))
    let slow = Recorder<Canary, Never>(demand: nil)
    shared.subscribe(slow)
    let fast = shared.sink { _ in }
    for _ in 0..<1_000 { source.send(graveyard.watch(Canary())) }
    #expect(graveyard.survivors.count == 2)
    withExtendedLifetime((fast, slow)) {}
  }

  @Test(arguments: ShareBufferedTests.policies)
  func `Nothing is left when all have cancelled, and when it is over`(_ policy: ShareBufferingPolicy) {
    for ends in [false, true] {
      var graveyard = Graveyard()
      do {
        let source = graveyard.watch(PassthroughSubject<Canary, Never>())
        let shared = graveyard.watch(source.share(buffering: policy))
        let recorders = (0..<3).map { graveyard.watch(Recorder<Canary, Never>(demand: $0 == 0 ? nil : .max($0))) }
        for recorder in recorders { shared.subscribe(recorder) }
        for _ in 0..<4 { source.send(graveyard.watch(Canary())) }
        if ends {
          source.send(completion: .finished)
          for recorder in recorders { recorder.request(.unlimited) }
        }
        for recorder in recorders {
          if !ends { recorder.cancel() }
          recorder.releaseSubscriptions()
        }
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `Ten thousand subscribers that leave one by one do so in a moment`() {
    for policy in ShareBufferedTests.policies {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(buffering: policy)
      let recorders = (0..<10_000).map { _ in Recorder<Int, Never>(demand: nil) }
      for recorder in recorders { shared.subscribe(recorder) }
      let last = shared.sink { _ in }
      source.send(1)
      for recorder in recorders.reversed() { recorder.cancel() }
      source.send(2)
      last.cancel()
      #expect(recorders.allSatisfy { $0.values.isEmpty })
    }
  }

  @Test func `A value whose death sends another one does no harm`() {
    final class Sender {
      let last: () -> Void
      init(_ last: @escaping () -> Void) { self.last = last }
      deinit { last() }
    }
    for policy in [ShareBufferingPolicy.bounded(4), .newest(1), .oldest(1), .unbounded] {
      let source = PassthroughSubject<Sender, Never>()
      let shared = source.share(buffering: policy)
      let recorder = Recorder<Sender, Never>(demand: nil)
      var received = 0
      shared.subscribe(recorder)
      let sink = shared.sink { _ in received += 1 }
      source.send(Sender { source.send(Sender {}) })
      recorder.cancel()
      #expect(received == 2, "\(policy)")
      withExtendedLifetime(sink) {}
    }
  }
}
