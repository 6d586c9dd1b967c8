// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct PrintTests {
  private let paper = Paper()
  private let source = ManualPublisher<Int, TestError>()

  @Test func `A stream from beginning to end`() {
    let cancellable = [1, 2].publisher.print(to: paper).sink { _ in }
    #expect(
      paper.lines == [
        "receive subscription: ([1, 2])", "request unlimited", "receive value: (1)", "receive value: (2)",
        "receive finished",
      ])
    cancellable.cancel()
  }

  @Test func `A prefix stands before each line, with a colon`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(1))
    source.print("numbers", to: paper).subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    recorder.cancel()
    #expect(
      paper.lines == [
        "numbers: receive subscription: (ManualSubscription)", "numbers: request max: (2)",
        "numbers: receive value: (1)", "numbers: request max: (1) (synchronous)", "numbers: receive error: (oops)",
        "numbers: receive cancel",
      ])
  }

  @Test(
    arguments: [
      (.unlimited, ["request unlimited", "request unlimited (synchronous)"]),
      (.max(3), ["request max: (3)", "request max: (3) (synchronous)"]), (.none, ["request max: (0)"]),
    ] as [(Subscribers.Demand, [String])])
  func `Demand is printed as it is, but no line tells of nothing returned`(
    _ demand: Subscribers.Demand, _ lines: [String]
  ) {
    source.print(to: paper).subscribe(Recorder<Int, TestError>(demand: demand, answering: demand))
    source.send(1)
    #expect(paper.lines.filter { $0.hasPrefix("request") } == lines)
    #expect(source.subscription?.requests == [demand])
  }

  @Test func `Values, errors and subscriptions appear by their descriptions`() {
    struct Described: CustomStringConvertible, Error { let description: String }
    let source = ManualPublisher<Described, Described>()
    source.print(to: paper).subscribe(Recorder<Described, Described>(demand: nil))
    source.send(Described(description: "a value"))
    source.send(completion: .failure(Described(description: "an error")))
    #expect(paper.lines.dropFirst() == ["receive value: (a value)", "receive error: (an error)"])
  }

  @Test func `An optional value is shown as one`() {
    let source = ManualPublisher<Int?, Never>()
    source.print(to: paper).subscribe(Recorder<Int?, Never>(demand: nil))
    source.send(1)
    source.send(nil)
    #expect(paper.lines.dropFirst() == ["receive value: (Optional(1))", "receive value: (nil)"])
  }

  @Test func `A line comes before what it tells of goes on`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.subscription?.onRequest = { _ in self.paper.write("upstream is asked\n") }
    source.subscription?.onCancel = { self.paper.write("upstream is cancelled\n") }
    recorder.onSubscription = { _ in self.paper.write("downstream has its subscription\n") }
    recorder.onValue = { _ in
      self.paper.write("downstream has its value\n")
      return .none
    }
    recorder.onCompletion = { _ in self.paper.write("downstream has its end\n") }
    source.print(to: paper).subscribe(recorder)
    recorder.request(.max(1))
    source.send(1)
    recorder.cancel()
    source.send(completion: .finished)
    #expect(
      paper.lines == [
        "receive subscription: (ManualSubscription)", "downstream has its subscription",
        "request max: (1)", "upstream is asked", "receive value: (1)", "downstream has its value",
        "receive cancel", "upstream is cancelled", "receive finished", "downstream has its end",
      ])
  }

  @Test func `Everything is printed after the end too, and requests and cancels have no effect then`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.print(to: paper).subscribe(recorder)
    source.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(
      paper.lines.dropFirst() == [
        "receive finished", "receive cancel", "request max: (1)", "receive cancel", "receive value: (1)",
        "receive finished",
      ])
    #expect(source.calls.isEmpty)
  }

  @Test func `A second subscription is printed before it is cancelled`() {
    source.print(to: paper).subscribe(Recorder<Int, TestError>(demand: nil))
    let second = ManualSubscription()
    second.onCancel = { self.paper.write("cancelled\n") }
    source.send(subscription: second)
    #expect(paper.lines.suffix(2) == ["receive subscription: (ManualSubscription)", "cancelled"])
  }

  @Test func `Before the subscription everything is printed, and nothing else done`() throws {
    let pipeline = ManualPipeline(subscribed: false, demand: nil) { (upstream: Upstream<TestError>) in
      upstream.print(to: paper)
    }
    let subscription = try #require(pipeline.ownSubscription)
    subscription.request(.max(1))
    subscription.cancel()
    pipeline.send(1)
    pipeline.finish()
    #expect(paper.lines == ["request max: (1)", "receive cancel", "receive value: (1)", "receive finished"])
  }

  @Test func `The stream gets for each line what print writes to one`() {
    source.print("p", to: paper).subscribe(Recorder<Int, TestError>(demand: .max(1)))
    #expect(
      paper.pieces == [
        "", "p: receive subscription: (ManualSubscription)", "\n", "", "p: request max: (1)", "\n",
      ])
  }

  @Test func `Without a stream it prints to standard output`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      _ = Just(7).print("out").sink { _ in }
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let lines = ["out: receive subscription: (Just)", "out: request unlimited", "out: receive value: (7)"]
    #expect(text.contains(lines.joined(separator: "\n") + "\nout: receive finished\n"))
  }

  @Test func `Upstream, prefix and stream can be read`() {
    let printed = source.print("p", to: paper)
    #expect(printed.upstream === source)
    #expect(printed.prefix == "p")
    #expect(printed.stream as? Paper === paper)
    #expect(Publishers.Print(upstream: source, prefix: "").stream == nil)
  }

  @Test func `The stream is freed with the chain`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.print(to: graveyard.watch(Paper(), "stream")).sink { _ in }
    #expect(graveyard.survivors == ["stream"])
    cancellable.cancel()
    subject.send(1)
    withExtendedLifetime(cancellable) {}
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Printing below a transparent operator shows what is above that`() {
    _ = PassthroughSubject<Int, Never>().map { $0 }.filter { _ in true }.print(to: paper).sink { _ in }
    #expect(paper.lines.first == "receive subscription: (PassthroughSubject)")
  }
}
