// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// A sentence for streams in which nothing is wrong that a look can see: each has a name of its own.
@Suite struct ReasonTests {
  /// Without what is said about counts: other tests count, and do so for all links that are made meanwhile.
  private func why(_ name: String) async -> String {
    let sentence = await Inspector.why(name, watching: .milliseconds(10))
    return sentence.split(separator: "; ", maxSplits: 1).first.map(String.init) ?? sentence
  }

  @Test func `CombineLatest names the upstream of which it has no value`() async {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = first.combineLatest(second).inspected("reason 1").sink { _ in }
    first.send(1)
    #expect(
      await why("reason 1") == "CombineLatest waits for a first value of upstream 2 (PassthroughSubject)")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A future waits for its promise`() async {
    var promises: [Future<Int, Never>.Promise] = []
    let cancellable = Future<Int, Never> { promises.append($0) }.inspected("reason 2").sink { _ in }
    #expect(await why("reason 2") == "Future waits for its promise")
    withExtendedLifetime((cancellable, promises)) {}
  }

  @Test func `A subject drops values for which nobody has asked`() async {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    subject.inspected("reason 3").subscribe(recorder)
    for value in 1...10 { subject.send(value) }
    let sentence = await why("reason 3")
    #expect(
      sentence.hasSuffix("asks for nothing, and PassthroughSubject has dropped 9 values"), "\(sentence)")
    recorder.cancel()
  }

  @Test func `A subscriber that has what it asked for is not accused of more`() async {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    subject.inspected("reason 4").subscribe(recorder)
    subject.send(1)
    let sentence = await why("reason 4")
    #expect(sentence.hasSuffix("has all that it has asked for"), "\(sentence)")
    recorder.cancel()
  }

  @Test func `A subject to which nobody sends has no value to give`() async {
    let cancellable = PassthroughSubject<Int, Never>().inspected("reason 5").sink { _ in }
    #expect(await why("reason 5") == "PassthroughSubject is asked for values, and has none to give now")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `What holds a stream up comes first`() async {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = first.zip(second).inspected("reason 6").sink { _ in }
    first.send(1)
    #expect(await why("reason 6") == "Zip keeps 1 value and waits for upstream 2")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A name that no stream has is said`() async {
    #expect(await why("reason 7") == "No stream has “reason 7” in it")
  }

  @Test func `Where values are counted it says how many have passed`() async {
    await #expect(processExitsWith: .success) {
      Inspector.startCounting(.values)
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.inspected("reason 8").sink { _ in }
      for value in 1...3 { subject.send(value) }
      let sentence = await Inspector.why("reason 8", watching: .milliseconds(10))
      #expect(sentence == "PassthroughSubject is asked for values, and has none to give now; 3 values so far")
      withExtendedLifetime(cancellable) {}
    }
  }
}
