// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// The scheduled shape, with stages that another module makes.
@Suite struct ScheduledSubscriberTests {
  /// Delivers each value as many times as it says, all of them in one block, and counts demand.
  private struct RepeatStage: ScheduledStage, ~Copyable {
    typealias Output = String
    typealias Failure = TestError

    let clock: VirtualTimeScheduler<VirtualTime, Never>
    let cancels = Locked(0)

    static var name: String { "Repeat" }

    static var countsDemand: Bool { true }

    func receive(_ input: Int, in shape: Shape) -> Subscribers.Demand {
      for _ in 0..<input where shape.demand.takeOne() { shape.schedule("\(input)") }
      return .none
    }

    func cancelTimers(in shape: Shape) { cancels.change { $0 += 1 } }

    func schedule(_ block: @escaping () -> Void) { clock.schedule(after: clock.now.advanced(by: 1), block) }
  }

  private let clock = VirtualTimeScheduler<VirtualTime, Never>()

  @Test func `A stage of another module converts values, and the shape counts the demand`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<String, TestError>(demand: .max(4))
    source.subscribe(ScheduledSubscriber(RepeatStage(clock: clock), to: recorder))
    #expect(source.calls == [.requested(.unlimited)])
    for value in [2, 3, 1] { #expect(source.send(value) == .none) }
    source.send(completion: .failure(.oops))
    #expect(recorder.values.isEmpty)
    clock.advance(by: 1)
    #expect(recorder.values == ["2", "2", "3", "3"])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(clock.pending.isEmpty)
  }

  @Test func `The timers of a stage are cancelled before upstream, once`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<String, TestError>()
    let shape = ScheduledSubscriber(RepeatStage(clock: clock), to: recorder)
    source.subscribe(shape)
    source.subscription?.onCancel = { #expect(shape.stage.cancels.value == 1) }
    recorder.cancel()
    recorder.cancel()
    #expect(shape.stage.cancels.value == 1)
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `It delivers under another name`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    source.subscribe(
      ScheduledSubscriber(
        ReceiveOnStage<Int, TestError, VirtualTimeScheduler<VirtualTime, Never>>(clock, nil), name: "Sample",
        to: recorder))
    #expect(recorder.events == [.subscription("Sample")])
  }
}
