// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct CheckpointTests {
  @Test func `A failure gets the name, the file and the line of the chain, and keeps its type`() {
    let recorder = Recorder<Int, CheckpointFailure<TestError>>()
    let line: UInt = #line + 1
    Fail<Int, TestError>(error: .oops).checkpoint("search").subscribe(recorder)
    let failure = CheckpointFailure(
      TestError.oops, at: Checkpoint("search", file: "PenstockOperatorsTests/CheckpointTests.swift", line: line))
    #expect(recorder.completions == [.failure(failure)])
    #expect("\(failure)" == "oops, at \"search\" (PenstockOperatorsTests/CheckpointTests.swift:\(line))")
  }

  @Test func `Values, demand and a regular end pass`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, CheckpointFailure<TestError>>(demand: .max(2), answering: .max(3))
    source.checkpoint("search").subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    #expect(source.send(1) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
  }

  @Test func `Checkpoints one behind the other collect, the nearest to the origin first`() {
    let recorder = Recorder<Int, CheckpointFailure<TestError>>()
    Fail<Int, TestError>(error: .oops)
      .checkpoint("request").map { $0 + 1 }.checkpoint("search").checkpoint("page")
      .subscribe(recorder)
    guard case .failure(let failure) = recorder.completions.first else {
      Issue.record("it has not failed")
      return
    }
    #expect(failure.checkpoints.map(\.name) == ["request", "search", "page"])
    #expect(failure.underlying == .oops)
  }

  @Test func `They collect where nothing but the calls says of which type the failure is`() {
    var failures: [String] = []
    let cancellable = Fail<Int, TestError>(error: .oops)
      .checkpoint("request").map { $0 + 1 }.checkpoint("search").checkpoint("page")
      .sink(
        receiveCompletion: { completion in
          if case .failure(let failure) = completion {
            failures += failure.checkpoints.map(\.name) + ["\(failure.underlying)"]
          }
        },
        receiveValue: { _ in })
    #expect(failures == ["request", "search", "page", "oops"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `The failure itself is there again with mapError`() {
    let recorder = Recorder<Int, TestError>()
    Fail<Int, TestError>(error: .oops).checkpoint("request").checkpoint("search").mapError(\.underlying)
      .subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `The place can be another one`() {
    let recorder = Recorder<Int, CheckpointFailure<TestError>>()
    Fail<Int, TestError>(error: .oops).checkpoint("search", file: "App/Search.swift", line: 12).subscribe(recorder)
    let failure = CheckpointFailure(TestError.oops, at: Checkpoint("search", file: "App/Search.swift", line: 12))
    #expect(recorder.completions == [.failure(failure)])
  }
}
