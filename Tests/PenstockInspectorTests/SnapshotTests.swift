// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

extension InspectorTests {
  /// Tests of the information about a stream in a snapshot.
  @Suite struct SnapshotTests {
    @Test func `Operators that keep nothing are no links, and their names are between those that are`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.map { $0 + 1 }.filter { $0 > 0 }.inspected("named").map { $0 }.sink { _ in }
        let stream = try stream("named")
        #expect(chain(stream) == ["Sink", "Inspected > Map", "PassthroughSubject > Map > Filter"])
        #expect(stream.links[2].publisher == "PassthroughSubject<Int, Never>")
        #expect(stream.links[2].outstanding == .unlimited)
        #expect(stream.links[1].label?.file.hasSuffix("SnapshotTests.swift") == true)
        cancellable.cancel()
        #expect(!Inspector.snapshot().streams.contains { $0.title == "named" })
      }
    }

    @Test func `A sink that resides in its subject's subscription is one link with it`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int8, Never>()
        let cancellable = subject.map { $0 }.removeDuplicates().filter { $0 > 0 }.sink { _ in }
        let stream = try #require(
          Inspector.snapshot().streams.first { $0.end.publisher == "PassthroughSubject<Int8, Never>" })
        #expect(chain(stream) == ["PassthroughSubject > Map > RemoveDuplicates > Filter > Sink"])
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `An erased chain shows what is on both sides of the erasure`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let erased = subject.map { $0 }.eraseToAnyPublisher().inspected("erased").filter { $0 > 0 }
          .eraseToAnyPublisher()
        let cancellable = erased.scan(0, +).sink { _ in }
        #expect(chain(try stream("erased")).suffix(2) == ["Inspected > Filter", "PassthroughSubject > Map"])
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `A subscriber of a user's behind an erasure has its name`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let erased = subject.inspected("own").map { $0 }.eraseToAnyPublisher()
        let subscriber = AnySubscriber(OwnSubscriber())
        erased.map { $0 }.subscribe(subscriber)
        let stream = try stream("own")
        #expect(stream.end.subscriber == "OwnSubscriber")
        #expect(stream.end.passes == ["Map", "Map"])
        withExtendedLifetime(subscriber) {}
      }
    }

    private final class OwnSubscriber: Subscriber {
      func receive(subscription: any Subscription) { subscription.request(.max(3)) }
      func receive(_ input: Int) -> Subscribers.Demand { .none }
      func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test func `A link counts what is asked and not delivered`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(demand: .max(3))
        subject.inspected("asked").subscribe(recorder)
        subject.send(1)
        let stream = try stream("asked")
        #expect(stream.links[1].outstanding == .max(2))
        #expect(stream.links[0].isAsked == true)
        #expect(stream.links[0].outstanding == nil)
        #expect(stream.links[0].counts?.values == 1)
      }
    }

    @Test func `Trees go through flatMap, switchToLatest, zip, share, receive(on:), catch and tasks`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let scheduler = VirtualTimeScheduler()
        let (outer, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, TestError>())
        let shared = outer.share()
        let cancellable =
          shared
          .flatMap { _ in inner.catch { _ in Just(1) } }
          .zip(shared.map { Just($0).append(Empty(completeImmediately: false)) }.switchToLatest())
          .receive(on: scheduler)
          .inspected("tree")
          .sink { _ in }
        outer.send(1)
        let names = Set(try stream("tree").links.map(\.name))
        #expect(
          names.isSuperset(of: [
            "Inspected", "ReceiveOn", "Zip", "FlatMap", "Catch", "SwitchToLatest", "PassthroughSubject",
          ]),
          "\(Inspector.snapshot())")
        let roles = Set(try stream("tree").links.flatMap(\.upstreams).compactMap(\.role))
        #expect(roles == ["1", "2", "outer", "inner", "latest"])
        cancellable.cancel()

        let numbers = PassthroughSubject<Int, Never>()
        let task = Task { for await _ in numbers.inspected("task").values {} }
        while Inspector.snapshot()["task"]?.end.isAsked != true { await Task.yield() }
        #expect(Inspector.snapshot()["task"]?.end.name == "values")
        task.cancel()
        await task.value
      }
    }

    @Test func `Drops are counted, with their reason, in links that were made before`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(demand: .max(1))
        subject.inspected("no demand").subscribe(recorder)
        for number in 0..<4 { subject.send(number) }
        #expect(try stream("no demand").end.upstreams[0].link.drops == [.init(reason: .withoutDemand, count: 3)])

        for strategy in [Publishers.BufferingStrategy<Never>.dropOldest, .dropNewest] {
          let full = Recorder<Int, Never>(demand: nil)
          subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).inspected("full").subscribe(full)
          for number in 0..<5 { subject.send(number) }
          let stream = try stream("full")
          #expect(stream["Buffer"]?.drops == [.init(reason: .bufferFull, count: 3)])
          #expect("\(stream)".contains("keeps 2 of 2  dropped 3 since it was full"))
          full.cancel()
        }

        // Values that a subject keeps for later are not dropped, and neither are those of a stream that its subscriber
        // has cancelled.
        let present = CurrentValueSubject<Int, Never>(0)
        let later = Recorder<Int, Never>(demand: nil)
        present.inspected("present").subscribe(later)
        present.send(1)
        #expect(try stream("present").links.allSatisfy(\.drops.isEmpty))

        var iterator = subject.inspected("task").values(buffering: .newest(1)).makeAsyncIterator()
        for number in 0..<3 { subject.send(number) }
        #expect(try stream("task").end.drops == [.init(reason: .bufferFull, count: 2)])
        #expect(await iterator.next() == 2)
      }
    }

    @Test func `Two ways that meet in one publisher are shown once`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = CurrentValueSubject<Int, Never>(1)
        let shared = subject.map { $0 }.share()
        var publisher = shared.eraseToAnyPublisher()
        // Written out, the tree would have 2 to the power of 16 branches.
        for _ in 0..<16 {
          let previous = publisher.share()
          publisher = previous.zip(previous) { $0 + $1 }.eraseToAnyPublisher()
        }
        let cancellable = publisher.inspected("diamonds").sink { _ in }
        #expect(try stream("diamonds").links.count < 200)
        #expect(try stream("diamonds").links.contains { $0.isCut })
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `A chain of more than 200 links is cut`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        var publisher = subject.eraseToAnyPublisher()
        for _ in 0..<300 { publisher = publisher.removeDuplicates().eraseToAnyPublisher() }
        let cancellable = publisher.inspected("long").sink { _ in }
        #expect(try stream("long").links.count == 201)
        #expect(try stream("long").links.last?.isCut == true)
        _ = "\(Inspector.snapshot())"
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `What is over is not shown`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let before = Inspector.snapshot().streams.count
        let subject = PassthroughSubject<Int, Never>()
        var cancellables = [subject.map { $0 }.sink { _ in }, subject.scan(0, +).sink { _ in }]
        cancellables.append([1, 2].publisher.delay(for: 0, scheduler: ImmediateScheduler.shared).sink { _ in })
        subject.send(completion: .finished)
        #expect(Inspector.snapshot().streams.count == before)
        withExtendedLifetime(cancellables) {}
      }
    }

    @Test func `A snapshot keeps nothing alive`() async {
      await #expect(processExitsWith: .success) { () async throws in
        final class Probe {}
        weak var probe: Probe?
        let snapshot: Inspector.Snapshot
        do {
          let object = Probe()
          probe = object
          let subject = PassthroughSubject<Int, Never>()
          let cancellable = subject.map { [object] number in withExtendedLifetime(object) { number } }.sink { _ in }
          snapshot = Inspector.snapshot()
          withExtendedLifetime(cancellable) {}
        }
        #expect(probe == nil)
        #expect(!snapshot.streams.isEmpty)
      }
    }

    @Test func `Links that are made while it counts count, and others don't`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for counting in [Inspector.Counting.values, .signals] {
          let subject = PassthroughSubject<Int16, Never>()
          let early = subject.scan(0, +).sink { _ in }
          Inspector.startCounting(counting)
          let late = subject.filter { $0 != 2 }.removeDuplicates().inspected("counting").sink { _ in }
          Inspector.stopCounting()
          let last = subject.prefix(10).sink { _ in }
          for number: Int16 in [1, 2, 2, 3, 3] { subject.send(number) }
          let links = try stream("counting").links
          #expect(links.map(\.counts?.values) == [nil, 2, 2, 5])
          #expect(links.map(\.counts?.signals.count) == (counting == .signals ? [nil, 2, 2, 5] : [nil, 0, 0, 0]))
          #expect((links[1].counts?.thread != nil) == (counting == .signals))
          let streams = Inspector.snapshot().streams.filter {
            $0.links.last?.publisher == "PassthroughSubject<Int16, Never>"
          }
          #expect(streams.count == 3)
          #expect(streams.map { $0.links.contains { $0.counts != nil } } == [false, true, false])
          withExtendedLifetime((early, late, last)) {}
        }
      }
    }

    @Test func `The latest 32 signals are kept`() async {
      await #expect(processExitsWith: .success) { () async throws in
        Inspector.startCounting()
        defer { Inspector.stopCounting() }
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.inspected("ring").sink { _ in }
        for number in 0..<100 { subject.send(number) }
        let counts = try #require(try stream("ring").links[1].counts)
        #expect(counts.values == 100 && counts.signals.count == 32)
        #expect(counts.signals.map(\.age) == counts.signals.map(\.age).sorted(by: >))
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `The text marks what holds a stream up, and says why`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subscriber = Recorder<Int, Never>(demand: nil)
        (1...9).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).inspected("text").subscribe(
          subscriber)
        let snapshot = await Inspector.snapshot(watching: .zero, looks: 2)
        let stream = snapshot["text"]!
        let id = stream.id
        let (buffer, sequence) = (stream.links[1].id, stream.links[2].id)
        let line = stream.end.label!.line
        #expect(
          "\(stream)" == """
            #\(id) text: held up: Recorder asks for nothing, and 2 values wait at Buffer
              Inspected ▸ Recorder #\(id)  “text” PenstockInspectorTests/SnapshotTests.swift:\(line)  0 values  ◀ holds the stream up
              ╰ Buffer #\(buffer)  asked for nothing  keeps 2 of 2
                ╰ Sequence #\(sequence)  asked for nothing

            """)
      }
    }

    @Test func `The JSON is JSON, whatever a label has in it`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.inspected("a \"quote\", a \\, a \n, a </script> and 🧵").sink { _ in }
        let json = Inspector.snapshot().json
        #expect(!json.contains("</script>") && !json.contains("\n"))
        #expect(json.contains(#"a \"quote\", a \\, a \u000a, a \u003c/script> and 🧵"#))
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `Alarms: nearly full, silent, without subscribers, held up`() async {
      await #expect(processExitsWith: .success) { () async throws in
        Inspector.startCounting()
        defer { Inspector.stopCounting() }
        let feed = PassthroughSubject<Int, Never>()
        let lonely = PassthroughSubject<Int, Never>()
        let feeding = feed.subscribe(lonely)
        let subscriber = Recorder<Int, Never>(demand: .max(1))
        (1...9).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).inspected("alarm").subscribe(
          subscriber)
        let cancellable = feed.inspected("silent").sink { _ in }
        feed.send(1)
        let snapshot = await Inspector.snapshot(watching: .zero, looks: 2)
        let kinds = snapshot.alarms(.init(silence: .zero)).map(\.kind)
        #expect(Set(kinds) == [.nearlyFull, .silent, .withoutSubscribers, .heldUp], "\(snapshot.alarms())")
        #expect(snapshot.alarms(.init(fullness: 1, silence: .seconds(60))).allSatisfy { $0.kind != .silent })
        withExtendedLifetime((cancellable, feeding)) {}
      }
    }

    #if canImport(Glibc)
      @Test func `A signal of the system makes a report`() async {
        await #expect(processExitsWith: .success) {
          let subject = PassthroughSubject<Int, Never>()
          let cancellable = subject.inspected("reported").sink { _ in }
          let (reports, continuation) = AsyncStream<String>.makeStream()
          Inspector.reportOnSignal(SIGUSR2, watching: .milliseconds(8)) { continuation.yield($0) }
          kill(getpid(), SIGUSR2)
          var iterator = reports.makeAsyncIterator()
          #expect(await iterator.next()?.contains("reported") == true)
          withExtendedLifetime(cancellable) {}
        }
      }
    #endif

    @Test func `Arguments out of range stop the process, with the rule`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = await Inspector.snapshot(watching: .zero, looks: 1)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Inspector.snapshot(watching:looks:) takes 2 looks or more, but was given 1"))
    }

    @Test func `A page has the address in it, safely`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let page = Inspector.page(asking: "/a\"</script>")
        #expect(page.contains(#""/a\"\u003c/script>""#))
      }
    }
  }
}

private func stream(_ title: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Inspector.Stream {
  let snapshot = Inspector.snapshot()
  return try #require(
    snapshot.streams.first { $0.title == title }, "\(snapshot)", sourceLocation: sourceLocation)
}

/// The links of a stream from its end, each with the operators between it and the next.
private func chain(_ stream: Inspector.Stream) -> [String] {
  stream.links.map { ([$0.name] + $0.passes + ($0.subscriber.map { [$0] } ?? [])).joined(separator: " > ") }
}
