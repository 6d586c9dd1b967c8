// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct SampleTests {
  private let source = ManualPublisher<Int, TestError>()
  private let signal = ManualPublisher<Void, TestError>()

  private func subscribe(_ recorder: Recorder<Int, TestError>) {
    source.sample(signal).subscribe(recorder)
  }

  @Test func `A signal publishes the latest value, once`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    signal.send(())
    source.send(1)
    source.send(2)
    signal.send(())
    signal.send(())
    source.send(3)
    signal.send(())
    #expect(recorder.values == [2, 3])
    #expect(recorder.subscriptionTexts == ["Sample"])
  }

  @Test func `Both are asked for everything, upstream first`() {
    var log: [String] = []
    source.onSubscribe = { log.append("upstream") }
    signal.onSubscribe = { log.append("signal") }
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onSubscription = { _ in log.append("downstream") }
    subscribe(recorder)
    #expect(log == ["downstream", "upstream", "signal"])
    #expect(source.calls == [.requested(.unlimited)])
    #expect(signal.calls == [.requested(.unlimited)])
    #expect(source.send(1) == .none)
    recorder.onValue = { _ in .max(3) }
    #expect(signal.send(()) == .none)
  }

  @Test func `A signal that arrives at once samples the current value`() {
    let recorder = Recorder<Int, Never>()
    CurrentValueSubject<Int, Never>(1).sample(CurrentValueSubject<Void, Never>(())).subscribe(recorder)
    #expect(recorder.values == [1])
  }

  /// Values, signals, demand and ends in every order that matters, with the outputs.
  ///
  /// `v1` is a value, `s` the signal, `r1` a request, `u` an unlimited one, `e` upstream's end, `x` its failure, `E` the
  /// signal's end, `F` its failure, `X` a cancel. The outputs are values, `|` for the end and `!` for the failure.
  @Test(arguments: [
    ("v1 s", ""), ("v1 s r1", "1"), ("v1 s v2 r1", "1"), ("v1 s v2 s r1", "2"), ("v1 s v2 s r1 r1 s", "2"),
    ("r1 v1 s v2 s", "1"), ("r1 v1 s v2 s r1", "1 2"), ("r2 v1 s v2 s v3 s", "1 2"), ("u v1 s v2 s", "1 2"),
    ("r1 s v1", ""), ("u e", "|"), ("e", "|"), ("u v1 e s", "|"), ("u v1 s x", "1 !"), ("u E", "|"), ("u F", "!"),
    ("u v1 E", "|"), ("u v1 s F", "1 !"), ("v1 s e", ""), ("v1 s e r1", "1 |"), ("v1 s x r1", "1 !"),
    ("v1 s E r1", "1 |"), ("v1 s F u", "1 !"), ("v1 s e v2 s r1 r1", "1 |"), ("v1 s X r1", ""), ("u v1 X s", ""),
    ("X v1 s e", ""),
  ])
  func `The table`(_ steps: String, _ expected: String) {
    let (source, signal) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Void, TestError>())
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.sample(signal).subscribe(recorder)
    for step in steps.split(separator: " ") {
      switch step {
      case "s": signal.send(())
      case "u": recorder.request(.unlimited)
      case "e": source.send(completion: .finished)
      case "x": source.send(completion: .failure(.oops))
      case "E": signal.send(completion: .finished)
      case "F": signal.send(completion: .failure(.oops))
      case "X": recorder.cancel()
      case let request where request.hasPrefix("r"): recorder.request(.max(Int(request.dropFirst())!))
      case let value: source.send(Int(value.dropFirst())!)
      }
    }
    let out = recorder.events.compactMap { event -> String? in
      switch event {
      case .subscription: nil
      case .value(let value): "\(value)"
      case .completion(.finished): "|"
      case .completion(.failure): "!"
      }
    }
    #expect(out.joined(separator: " ") == expected)
  }

  @Test func `A sample during a delivery is counted`() {
    let (source, signal) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      if value < 4 {
        source.send(value + 1)
        signal.send(())
      }
      return value < 3 ? .max(1) : .none
    }
    source.sample(signal).subscribe(recorder)
    source.send(1)
    signal.send(())
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func `Requests during a delivery are served after it`() {
    let (source, signal) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let probe = Recorder<Int, Never>(demand: .max(1))
    probe.onValue = { [unowned probe] value in
      if value < 5 {
        source.send(value + 1)
        signal.send(())
        probe.request(.max(1))
      }
      return .none
    }
    source.sample(signal).subscribe(probe)
    source.send(1)
    signal.send(())
    #expect(probe.values == [1, 2, 3, 4, 5])
    #expect(!probe.hasOverlapped)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      PassthroughSubject<Int, Never>().sample(PassthroughSubject<Int, Never>()).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: ["upstream finishes", "signal finishes", "downstream cancels"])
  func `The end of one side cancels the other`(_ end: String) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    switch end {
    case "upstream finishes": source.send(completion: .finished)
    case "signal finishes": signal.send(completion: .finished)
    default: recorder.cancel()
    }
    let ask = ManualSubscription.Call.requested(.unlimited)
    #expect(source.calls == (end == "upstream finishes" ? [ask] : [ask, .cancelled]))
    #expect(signal.calls == (end == "signal finishes" ? [ask] : [ask, .cancelled]))
    #expect(recorder.completions.count == (end == "downstream cancels" ? 0 : 1))
  }

  @Test(arguments: ["finish", "finish unasked", "cancel", "cancel after the end", "signal ends"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, Never>(), "upstream")
      let signal = graveyard.watch(PassthroughSubject<Void, Never>(), "signal")
      let recorder = graveyard.watch(Recorder<Int, Never>(demand: .max(1)), "downstream")
      source.sample(signal).map { _ in 1 }.subscribe(recorder)
      for name in ["delivered", "kept", "latest"] {
        source.send(graveyard.watch(Canary(), name))
        if name != "latest" || end == "finish" { signal.send(()) }
      }
      if end == "finish" { recorder.request(.max(1)) }
      switch end {
      case "signal ends": signal.send(completion: .finished)
      case "cancel": recorder.cancel()
      default: source.send(completion: .finished)
      }
      if end == "cancel after the end" { recorder.cancel() }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Values, signals, requests and a cancel on four threads`() {
    for round in 0..<30 {
      let (source, signal) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      let probe = Recorder<Int, Never>(demand: nil)
      source.sample(signal).subscribe(probe)
      onThreads([
        {
          for value in 0..<500 { source.send(value) }
          source.send(completion: .finished)
        },
        { for _ in 0..<500 { signal.send(()) } },
        { for _ in 0..<300 { probe.request(.max(1)) } },
        { if round.isMultiple(of: 2) { probe.cancel() } },
      ])
      #expect(probe.values.count <= 300)
      #expect(zip(probe.values, probe.values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(!probe.hasOverlapped)
      #expect(probe.completions.count <= 1)
    }
  }
}
