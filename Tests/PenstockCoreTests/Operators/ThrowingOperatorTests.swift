// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

extension OperatorSpec {
  /// The operators that deliver while upstream does, and whose closure or coder may throw.
  static let throwing = managed.filter(\.isThrowing)
}

@Suite struct ThrowingOperatorTests {
  @Test(arguments: OperatorSpec.throwing)
  func `What is thrown cancels upstream first, and then fails the stream`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(check: { if $0 == 3 { throw TestError.oops } })
    var log: [String] = []
    pipeline.subscription.onCancel = { log.append("cancel") }
    pipeline.onEnd = { log.append("end") }
    pipeline.onValue = { .max(5) }
    pipeline.send(1)
    #expect(pipeline.send(3) == .none)
    #expect(log == ["cancel", "end"])
    #expect(pipeline.ends == ["failure(oops)"])
    #expect(pipeline.values.count == (spec.name == "tryDrop(while:)" ? 0 : 1))
  }

  @Test(arguments: OperatorSpec.throwing)
  func `After that nothing goes up, and there is no second end`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(check: { if $0 == 3 { throw TestError.oops } })
    pipeline.send(1)
    pipeline.send(3)
    pipeline.request(.max(1))
    pipeline.cancel()
    pipeline.finish()
    pipeline.send(3)
    #expect(pipeline.subscription.calls == [.requested(.unlimited), .cancelled])
    #expect(pipeline.ends == ["failure(oops)"])
  }

  @Test(arguments: OperatorSpec.throwing)
  func `No value follows what was thrown, and no second failure`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(check: { if $0 == 3 { throw TestError.oops } })
    pipeline.send(1)
    pipeline.send(3)
    let events = pipeline.events
    #expect(pipeline.send(4) == .none)
    pipeline.fail()
    #expect(pipeline.events == events)
  }

  @Test(arguments: OperatorSpec.throwing)
  func `A closure that cancels before it throws fails nothing`(_ spec: OperatorSpec) {
    var cancel = {}
    let pipeline = spec.pipeline { number in
      guard number == 3 else { return }
      cancel()
      throw TestError.oops
    }
    cancel = { [unowned pipeline] in pipeline.cancel() }
    pipeline.send(1)
    #expect(pipeline.send(3) == .none)
    #expect(pipeline.subscription.calls == [.requested(.unlimited), .cancelled])
    #expect(pipeline.ends.isEmpty)
  }

  @Test(arguments: OperatorSpec.throwing)
  func `The stream is gone after it`(_ spec: OperatorSpec) {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let pipeline = spec.pipeline { number in
        withExtendedLifetime(canary) {}
        if number == 3 { throw TestError.oops }
      }
      _ = graveyard.watch(pipeline.subscription, "upstream's subscription")
      _ = graveyard.watch(pipeline.downstream, "downstream")
      pipeline.send(1)
      pipeline.send(3)
      pipeline.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  /// A coder may also throw at a value before the subscription; table 12.6 of the behaviour specifies only for coders
  /// that this is a failure.
  @Test(arguments: OperatorSpec.coding)
  func `A coder that throws before the subscription fails the stream`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false, check: { _ in throw TestError.oops })
    #expect(pipeline.send(1) == .none)
    #expect(pipeline.events == ["failure(oops)"])
    #expect(pipeline.send(1) == .none)
    pipeline.finish()
    #expect(pipeline.events == ["failure(oops)"])
    pipeline.subscribe()
    #expect(pipeline.subscription.calls == [.cancelled])
  }

  @Test func `The error is the one that was thrown, and upstream's failure its own`() {
    let (thrown, forwarded) = (Recorder<Int, any Error>(), Recorder<Int, any Error>())
    let publisher = ManualPublisher<Int, TestError>()
    publisher.tryMap { _ -> Int in throw TestError("thrown") }.subscribe(thrown)
    publisher.send(1)
    publisher.tryMap { $0 }.subscribe(forwarded)
    publisher.send(completion: .failure(.oops))
    #expect(failure(of: thrown) as? TestError == TestError("thrown"))
    #expect(failure(of: forwarded) as? TestError == .oops)
  }

  private func failure(of recorder: Recorder<Int, any Error>) -> (any Error)? {
    if case .failure(let error) = recorder.completions.last { error } else { nil }
  }
}
