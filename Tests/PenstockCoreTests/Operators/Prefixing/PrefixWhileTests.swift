// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct PrefixWhileTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [([], []), ([10], []), ([1], [1]), ([1, 2, 30, 4], [1, 2])])
  func `Values pass up to the first that the closure turns down`(_ input: [Int], _ output: [Int]) {
    let (plain, throwing) = (Recorder<Int, Never>(), Recorder<Int, any Error>())
    Publishers.PrefixWhile(upstream: input.publisher) { $0 < 10 }.subscribe(plain)
    Publishers.TryPrefixWhile(upstream: input.publisher) { $0 < 10 }.subscribe(throwing)
    #expect(plain.values == output)
    #expect(throwing.values == output)
    #expect(plain.completions == [.finished])
    #expect(throwing.isFinished)
  }

  @Test func `That value cancels upstream first, and finishes then`() {
    var log: [String] = []
    source.subscription?.onCancel = { log.append("cancel") }
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    recorder.onCompletion = { log.append("\($0)") }
    source.prefix { $0 < 10 }.subscribe(recorder)
    #expect(source.send(1) == .max(7))
    #expect(source.send(10) == .none)
    #expect(log == ["cancel", "finished"])
  }

  @Test func `The closure is not asked after that, and nothing comes`() {
    var asked: [Int] = []
    let recorder = Recorder<Int, TestError>()
    source.prefix { number in
      asked.append(number)
      return number < 10
    }.subscribe(recorder)
    for value in [1, 10, 2] { #expect(source.send(value) == .none) }
    source.send(completion: .failure(.oops))
    #expect(asked == [1, 10])
    #expect(recorder.events == [.subscription("PrefixWhile"), .value(1), .completion(.finished)])
    recorder.cancel()
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A closure that cancels before it says no finishes nothing`() {
    let recorder = Recorder<Int, TestError>()
    source.prefix { _ in
      recorder.cancel()
      return false
    }.subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(recorder.completions.isEmpty)
    #expect(source.subscription?.cancellations == 1)
  }

  @Test func `An endless upstream is left`() {
    let recorder = Recorder<Int, Never>()
    Publishers.PrefixWhile(upstream: (1...).publisher) { $0 < 4 }.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }
}
