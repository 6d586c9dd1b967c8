// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A stage whose decisions are the test's.
private struct ScriptedStage<Rules: StageRules>: SteeredStage {
  let onValue: (Int) -> Verdict<Int, TestError>
  let onSignal: (Int) -> Verdict<Int, TestError>
  var onEnd: (Subscribers.Completion<TestError>) -> Verdict<Int, TestError> = { _ in .absorb }

  static var name: String { "Scripted" }
  static var rules: SteeredRules { Rules.rules }

  func receive(_ input: Int) -> Verdict<Int, TestError> { onValue(input) }
  func receive(signal: Int) -> Verdict<Int, TestError> { onSignal(signal) }
  func receive(signalCompletion: Subscribers.Completion<TestError>) -> Verdict<Int, TestError> {
    onEnd(signalCompletion)
  }
}

private protocol StageRules {
  static var rules: SteeredRules { get }
}

private enum Forwarding: StageRules {
  static var rules: SteeredRules { SteeredRules(demand: .forwarded, signals: .max(1)) }
}

private enum Dropping: StageRules {
  static var rules: SteeredRules { SteeredRules(demand: .countedDropping) }
}

private enum Keeping: StageRules {
  static var rules: SteeredRules { SteeredRules(demand: .countedKeeping) }
}

/// A stage that has no reference, so that its calls are not guarded.
private struct PlainStage: SteeredStage {
  var limit = 0

  static var name: String { "Plain" }
  static var rules: SteeredRules { SteeredRules(demand: .forwarded) }

  func receive(_ input: Int) -> Verdict<Int, TestError> { input > limit ? .emit(input) : .skip }
  mutating func receive(signal: Int) -> Verdict<Int, TestError> {
    limit = signal
    return .absorb
  }
  func receive(signalCompletion: Subscribers.Completion<TestError>) -> Verdict<Int, TestError> {
    .complete(signalCompletion)
  }
}

@Suite struct SteeredCoreTests {
  private let source = ManualPublisher<Int, TestError>()
  private let signals = ManualPublisher<Int, TestError>()

  @Test func `Each subscription has a copy of the stage`() {
    let publisher = source.steered(by: signals, PlainStage())
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    publisher.subscribe(first)
    signals.send(10)
    publisher.subscribe(second)
    source.send(5)
    #expect(second.values == [5])
    _ = source.subscribers[0].receive(5)
    _ = source.subscribers[0].receive(11)
    #expect(first.values == [11])
  }

  @Test func `An output for a signal takes the place of a value, and returned demand goes to upstream`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    source.steered(
      by: signals, ScriptedStage<Forwarding>(onValue: { _ in .absorb }, onSignal: { .emit($0) })
    ).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(signals.send(7) == .none)
    #expect(recorder.values == [7])
    #expect(source.calls == [.requested(.max(1)), .requested(.max(2))])
    #expect(signals.calls == [.requested(.max(1))])
  }

  @Test func `A skipped signal is replaced by one more`() {
    let recorder = Recorder<Int, TestError>()
    source.steered(
      by: signals, ScriptedStage<Forwarding>(onValue: { .emit($0) }, onSignal: { $0 == 0 ? .skip : .finish })
    ).subscribe(recorder)
    #expect(signals.send(0) == .max(1))
    #expect(signals.send(1) == .none)
    #expect(recorder.isFinished)
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: [true, false])
  func `A stage may deliver a value and finish, or fail`(_ fails: Bool) {
    let recorder = Recorder<Int, TestError>()
    source.steered(
      by: signals,
      ScriptedStage<Forwarding>(onValue: { fails ? .fail(.oops) : .emitAndFinish($0) }, onSignal: { _ in .absorb })
    ).subscribe(recorder)
    source.send(1)
    source.send(2)
    #expect(recorder.values == (fails ? [] : [1]))
    #expect(recorder.completions == [fails ? .failure(.oops) : .finished])
    #expect(source.calls.last == .cancelled && signals.calls.last == .cancelled)
  }

  @Test func `Outputs without demand are dropped`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    source.steered(by: signals, ScriptedStage<Dropping>(onValue: { .emit($0) }, onSignal: { .emit($0) }))
      .subscribe(recorder)
    #expect(source.calls == [.requested(.unlimited)])
    source.send(1)
    signals.send(2)
    source.send(3)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    source.send(4)
    source.send(5)
    source.send(completion: .finished)
    #expect(recorder.values == [1, 2, 4])
    #expect(recorder.isFinished)
  }

  @Test func `A completion of the stage's waits behind a kept output`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.steered(by: signals, ScriptedStage<Keeping>(onValue: { .emitAndFinish($0) }, onSignal: { .emit($0) }))
      .subscribe(recorder)
    signals.send(1)
    source.send(2)
    #expect(source.calls == [.requested(.unlimited), .cancelled])
    #expect(signals.calls == [.requested(.unlimited), .cancelled])
    source.send(3)
    signals.send(4)
    recorder.request(.max(1))
    #expect(recorder.values == [2])
    #expect(recorder.isFinished)
  }

  @Test func `No method of a stage is called while another one is running`() {
    let (source, signals) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      log.append("output \(value)")
      return .none
    }
    source.steered(
      by: signals,
      ScriptedStage<Forwarding>(
        onValue: { value in
          log.append("value \(value)")
          if value == 1 {
            source.send(2)
            signals.send(3)
            signals.send(completion: .finished)
          }
          log.append("decided \(value)")
          return .emit(value)
        },
        onSignal: { signal in
          log.append("signal \(signal)")
          return .absorb
        },
        onEnd: { _ in
          log.append("end of signals")
          return .finish
        })
    ).subscribe(recorder)
    source.send(1)
    #expect(
      log == [
        "value 1", "decided 1", "output 1", "value 2", "decided 2", "output 2", "signal 3", "end of signals",
      ])
    #expect(recorder.isFinished)
  }
}
