// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
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

  @Test func `A subject that keeps its latest value says that the subscriber has not had it`() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(demand: .max(1))
    subject.inspected("reason 9").subscribe(recorder)
    subject.send(2)
    let sentence = await why("reason 9")
    #expect(sentence.hasSuffix("asks for nothing, and 1 value waits at CurrentValueSubject"), "\(sentence)")
    recorder.cancel()
  }

  @Test func `An assignment tells that its object has been freed`() async {
    final class Gauge { var level = 0 }
    var gauge: Gauge? = Gauge()
    let levels = PassthroughSubject<Int, Never>()
    let cancellable = levels.inspected("reason 10").assign(to: \.level, on: gauge!, ownership: .weak)
    levels.send(1)
    #expect(await why("reason 10") == "PassthroughSubject is asked for values, and has none to give now")
    gauge = nil
    #expect(await why("reason 10") == "the object to which Assign assigns has been freed: values go nowhere")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A stream that its own closure has cancelled is not called idle`() async {
    var subscription: (any Subscription)?
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.handleEvents(receiveSubscription: { subscription = $0 }).inspected("reason 11").sink {
      _ in
    }
    subscription?.cancel()
    subscription = nil
    #expect(
      await why("reason 11")
        == "Inspected has nothing upstream any more: it has been cancelled from inside, or what fed it is gone without an end"
    )
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A delivery that does not return is named, and not the scheduler on which it runs`() async {
    let (queue, gate, begun) = (
      DispatchQueue(label: "reasons"), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.receive(on: queue).inspected("reason 12").sink { _ in
      begun.signal()
      gate.wait()
    }
    for value in 1...3 { subject.send(value) }
    begun.wait()
    let stream = await Inspector.snapshot(watching: .milliseconds(20))["reason 12"]!
    #expect(stream.culprit?.reason == .deliveryDoesNotReturn)
    #expect(stream.why == "ReceiveOn is inside a delivery that has not returned, and has 2 values after it")
    for _ in 1...3 { gate.signal() }
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A source shows what it keeps under a subscriber of the user's own`() async {
    let subscriber = SilentSubscriber(Tally())
    let source = AnyPublisher<Int, Never>.create { emitter in
      emitter.send(1)
      emitter.send(2)
      return AnyCancellable {}
    }
    source.subscribe(subscriber)
    let streams = await Inspector.snapshot(watching: .milliseconds(20)).heldUp
    #expect(streams.contains { $0.why.hasSuffix("asks for nothing, and 2 values wait at Create") }, "\(streams)")
    subscriber.cancel()
  }

  @Test func `The subscriber that holds back the others of a shared stream is named to them`() async {
    let (fast, slow) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: .max(1)))
    let shared = numbers(100).share(buffering: .bounded(4))
    // The first subscriber begins, and the buffer is full before the second one comes.
    shared.inspected("reason 14 slow").subscribe(slow)
    shared.inspected("reason 14 fast").subscribe(fast)
    let sentence = await why("reason 14 fast")
    #expect(sentence.contains("reason 14 slow"), "\(sentence)\n\(Inspector.snapshot())")
    fast.cancel()
    slow.cancel()
  }

  @Test func `An operator that may end before its upstream does not wait for the end`() async {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.first { $0 > 1 }.inspected("reason 15").sink { _ in }
    subject.send(1)
    #expect(await why("reason 15") == "PassthroughSubject is asked for values, and has none to give now")
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
