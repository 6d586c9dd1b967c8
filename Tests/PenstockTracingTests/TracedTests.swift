// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  import InMemoryTracing
  import PenstockConcurrency
  import PenstockOperators
  import PenstockTesting
  import PenstockTracing
  import TestSupport
  import Testing
  import Tracing

  @Suite struct TracedTests {
    private let tracer = InMemoryTracer()

    private var finished: [FinishedInMemorySpan] { tracer.finishedSpans }

    /// The span that closures see here.
    private static var current: String? { ServiceContext.current?.inMemorySpanContext?.spanID }

    // MARK: The span

    @Test func `A span of each subscription, from the subscription to the end`() throws {
      let subject = PassthroughSubject<Int, Never>()
      let stream = subject.traced("import", ofKind: .consumer, tracer: tracer)
      #expect(tracer.activeSpans.isEmpty)
      let cancellables = [stream.sink { _ in }, stream.sink { _ in }]
      #expect(tracer.activeSpans.count == 2)
      subject.send(1)
      subject.send(2)
      subject.send(completion: .finished)
      #expect(tracer.activeSpans.isEmpty)
      #expect(finished.map(\.operationName) == ["import", "import"])
      let span = try #require(finished.first)
      #expect(span.kind == .consumer)
      #expect(span["penstock.end"] == "finished")
      #expect(span["penstock.values"] == "2")
      #expect(span["penstock.requested"] == "unlimited")
      #expect(span.status == nil)
      #expect(span.events.isEmpty)
      withExtendedLifetime(cancellables) {}
    }

    @Test(arguments: [0, 1, 5])
    func `What was asked for is an attribute`(_ demand: Int) {
      let recording = Recording<Int, Never>(demand: demand == 0 ? .none : .max(demand))
      recording.subscribe(to: (1...3).publisher.traced("import", tracer: tracer))
      recording.cancel()
      #expect(recording.values == Array((1...3).prefix(demand)))
      #expect(finished[0]["penstock.requested"] == "\(demand)")
      #expect(finished[0]["penstock.values"] == "\(min(demand, 3))")
      #expect(finished[0]["penstock.end"] == (demand < 3 ? "cancelled" : "finished"))
    }

    @Test func `A failure is the span's error and status`() {
      let subject = PassthroughSubject<Int, TestError>()
      let recording = Recording<Int, TestError>()
      recording.subscribe(to: subject.traced("import", tracer: tracer))
      subject.send(completion: .failure(.oops))
      #expect(finished[0]["penstock.end"] == "failed")
      #expect(finished[0].errors.map { $0.error as? TestError } == [.oops])
      #expect(finished[0].status?.code == .error)
      #expect(recording.completion == .failure(.oops))
    }

    @Test func `A cancel is an event, and ends the span once`() {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.traced("import", tracer: tracer).sink { _ in }
      cancellable.cancel()
      cancellable.cancel()
      subject.send(completion: .finished)
      #expect(finished.map { $0.events.map(\.name) } == [["penstock.cancel"]])
      #expect(finished[0]["penstock.end"] == "cancelled")
    }

    @Test func `The tracer of the task at the subscription, unless one is given`() {
      let other = InMemoryTracer()
      let stream = [1].publisher.traced("import")
      withTracer(tracer) { withExtendedLifetime(stream.sink { _ in }) {} }
      withTracer(other) { withExtendedLifetime([1].publisher.traced("own", tracer: tracer).sink { _ in }) {} }
      #expect(finished.map(\.operationName) == ["import", "own"])
      #expect(other.finishedSpans.isEmpty)
    }

    @Test func `The span's parent is the context at the subscription`() {
      tracer.withSpan("request") { request in
        let cancellable = [1].publisher.traced("import", tracer: tracer).sink { _ in }
        withExtendedLifetime(cancellable) {}
        #expect(finished[0].parentSpanID == request.context.inMemorySpanContext?.spanID)
      }
    }

    // MARK: The context

    @Test func `Closures downstream see it, on whatever thread the value comes`() async {
      let subject = PassthroughSubject<Int, Never>()
      let seen = Seen()
      let cancellable = subject.traced("import", tracer: tracer)
        .map { value in
          seen.note(Self.current)
          return value
        }
        .sink { _ in seen.note(Self.current) }
      subject.send(1)
      await Task.detached { subject.send(2) }.value
      #expect(Self.current == nil)
      subject.send(completion: .finished)
      #expect(seen.values == Array(repeating: finished[0].spanID, count: 4))
      withExtendedLifetime(cancellable) {}
    }

    @Test func `What is made upstream for the subscription and for the requests sees it`() {
      let seen = Seen()
      let stream = Deferred {
        seen.note(Self.current)
        return (1...2).lazy.map { value in
          seen.note(Self.current)
          return value
        }.publisher
      }
      let cancellable = stream.handleEvents(receiveRequest: { _ in seen.note(Self.current) })
        .traced("import", tracer: tracer).sink { _ in seen.note(Self.current) }
      #expect(Set(seen.values) == [finished[0].spanID])
      #expect(seen.values.count >= 6)
      withExtendedLifetime(cancellable) {}
    }

    @Test func `A task that is made while subscribing sees it, and so does a cancel`() async {
      let seen = Seen()
      let stream = Deferred {
        Future {
          await Task.yield(); return Self.current
        }
      }.traced("import", tracer: tracer)
      for await id in stream.values { seen.note(id) }
      #expect(seen.values == [finished[0].spanID])
      let subject = PassthroughSubject<Int, Never>()
      subject.handleEvents(receiveCancel: { seen.note(Self.current) }).traced("cancelled", tracer: tracer)
        .sink { _ in }.cancel()
      #expect(seen.values.last == finished[1].spanID)
    }

    @Test func `After a change of the thread it is gone`() {
      let time = VirtualTimeScheduler()
      let seen = Seen()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.traced("import", tracer: tracer).receive(on: time).sink { _ in seen.note(Self.current) }
      subject.send(1)
      time.advance(by: 1)
      #expect(seen.values == [nil])
      cancellable.cancel()
    }

    @Test func `Of two, what is between sees that upstream, and what is downstream the other`() {
      let between = Seen()
      let downstream = Seen()
      for synchronous in [true, false] {
        let subject = PassthroughSubject<Int, Never>()
        let source = synchronous ? [1, 2].publisher.eraseToAnyPublisher() : subject.eraseToAnyPublisher()
        let cancellable = source.traced("inner", tracer: tracer).handleEvents(receiveOutput: { _ in
          between.note(Self.current)
        })
        .traced("outer", tracer: tracer).sink { _ in downstream.note(Self.current) }
        subject.send(1)
        subject.send(2)
        subject.send(completion: .finished)
        withExtendedLifetime(cancellable) {}
      }
      let inner = finished.filter { $0.operationName == "inner" }
      let outer = finished.filter { $0.operationName == "outer" }
      #expect(between.values == inner.flatMap { [$0.spanID, $0.spanID] })
      #expect(downstream.values == outer.flatMap { [$0.spanID, $0.spanID] })
      #expect(inner.map(\.parentSpanID) == outer.map(\.spanID))
    }

    @Test func `A stream that another one's value feeds has its own, and the first has it back`() {
      let seen = Seen()
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let cancellables = [
        second.traced("second", tracer: tracer).sink { _ in seen.note(Self.current) },
        first.traced("first", tracer: tracer).sink { value in
          second.send(value)
          seen.note(Self.current)
        },
      ]
      first.send(1)
      first.send(2)
      for cancellable in cancellables { cancellable.cancel() }
      let ids = finished.map(\.spanID)
      #expect(seen.values == [ids[0], ids[1], ids[0], ids[1]])
    }

    /// Where a value is sent from, within the delivery of another one.
    enum Place: CaseIterable {
      case here, otherSpan, noContext, detached, otherStream, otherThread
    }

    private func send(_ value: Int, to subject: PassthroughSubject<Int, Never>, from place: Place) {
      switch place {
      case .here: subject.send(value)
      case .otherSpan: tracer.withSpan("other") { _ in subject.send(value) }
      case .noContext: ServiceContext.$current.withValue(nil) { subject.send(value) }
      case .detached: Task.immediateDetached { [subject = UncheckedBox(subject)] in subject.value.send(value) }
      case .otherStream:
        withExtendedLifetime(Just(value).traced("feed", tracer: tracer).sink { subject.send($0) }) {}
      case .otherThread: elsewhere { [subject = UncheckedBox(subject)] in subject.value.send(value) }
      }
    }

    @Test(arguments: Place.allCases, Place.allCases)
    func `Values that are sent within a delivery see the stream's own span, wherever they come from`(
      _ first: Place, _ second: Place
    ) throws {
      let (seen, subject) = (Seen(), PassthroughSubject<Int, Never>())
      let cancellable = subject.traced("import", tracer: tracer)
        .handleEvents(receiveOutput: { _ in seen.note(Self.current) })
        .sink { value in
          if value == 1 { send(2, to: subject, from: first) }
          if value == 2 { send(3, to: subject, from: second) }
          seen.note(Self.current)
        }
      let own = try #require(tracer.activeSpans.first { $0.operationName == "import" }).spanID
      subject.send(1)
      tracer.withSpan("request") { request in
        subject.send(1)
        #expect(Self.current == request.context.inMemorySpanContext?.spanID)
      }
      #expect(Self.current == nil)
      #expect(seen.values == Array(repeating: own, count: 12))
      cancellable.cancel()
    }

    @Test func `What is asked for within a delivery, in another context, is asked for in the span's`() throws {
      let seen = Seen()
      let recording = Recording<Int, Never>(demand: .max(1))
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.sink { _ in ServiceContext.$current.withValue(nil) { recording.request(.max(1)) } }
      recording.subscribe(
        to: (1...3).publisher.handleEvents(receiveRequest: { _ in seen.note(Self.current) })
          .traced("import", tracer: tracer).handleEvents(receiveOutput: { if $0 < 3 { subject.send($0) } }))
      let own = try #require(finished.first { $0.operationName == "import" }).spanID
      #expect(seen.values == Array(repeating: own, count: 3))
      try recording.expectNext(1, 2, 3)
      try recording.expectFinished()
      cancellable.cancel()
    }

    @Test func `A completion is delivered in the context of the subscription`() {
      let seen = Seen()
      tracer.withSpan("request") { request in
        let cancellable = [1].publisher.traced("import", tracer: tracer)
          .sink(receiveCompletion: { _ in seen.note(Self.current) }, receiveValue: { _ in })
        withExtendedLifetime(cancellable) {}
        #expect(seen.values == [request.context.inMemorySpanContext?.spanID])
      }
    }

    // MARK: Retries

    @Test func `Each attempt is a span, linked to the one before`() {
      tracer.withSpan("request") { request in
        var attempts = 0
        let cancellable = Deferred {
          attempts += 1
          return attempts < 3
            ? Fail<Int, TestError>(error: .oops).eraseToAnyPublisher()
            : Just(7).setFailureType(to: TestError.self).eraseToAnyPublisher()
        }
        .traced("import", tracer: tracer).retry(5).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        withExtendedLifetime(cancellable) {}
        #expect(finished.count == 3)
        let parent = request.context.inMemorySpanContext?.spanID
        #expect(finished.map(\.parentSpanID) == [parent, parent, parent])
        #expect(finished.map { $0["penstock.attempt"] } == [nil, "2", "3"])
        #expect(finished.map { $0.events.map(\.name) } == [[], ["penstock.retry"], ["penstock.retry"]])
        let links = finished.map { $0.links.map { $0.context.inMemorySpanContext?.spanID } }
        #expect(links == [[], [finished[0].spanID], [finished[1].spanID]])
        #expect(finished.map { $0["penstock.end"] } == ["failed", "failed", "finished"])
      }
    }

    @Test func `Another stream after a failure is no retry`() {
      let stream = Fail<Int, TestError>(error: .oops).traced("import", tracer: tracer)
      for _ in 0..<2 { withExtendedLifetime(stream.sink(receiveCompletion: { _ in }, receiveValue: { _ in })) {} }
      #expect(finished.map { $0["penstock.attempt"] } == [nil, nil])
    }

    // MARK: The checked operator, and lifetime

    @Test func `The checked operator does the same`() {
      let cancellable = [1, 2].publisher.sendable.traced("import", tracer: tracer).map { $0 + 1 }.sink { _ in }
      #expect(finished[0]["penstock.values"] == "2")
      withExtendedLifetime(cancellable) {}
    }

    @Test(arguments: ["finish", "cancel", "release"])
    func `Nothing is left in memory, and every span has ended`(_ end: String) {
      var graveyard = Graveyard()
      func run() {
        let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
        let seen = graveyard.watch(Canary(), "closure")
        let cancellable = subject.traced("import", tracer: tracer).sink { _ in withExtendedLifetime(seen) {} }
        subject.send(graveyard.watch(Canary(), "value"))
        if end == "finish" { subject.send(completion: .finished) }
        if end == "cancel" { cancellable.cancel() }
        withExtendedLifetime(cancellable) {}
      }
      run()
      #expect(graveyard.survivors == [])
      #expect(tracer.activeSpans.isEmpty)
      #expect(finished.count == 1)
    }
  }

  extension FinishedInMemorySpan {
    /// An attribute as text.
    fileprivate subscript(name: String) -> String? {
      switch attributes[name]?.toSpanAttribute() {
      case .int64(let number): "\(number)"
      case .string(let text): text
      default: nil
      }
    }
  }

  /// What closures have seen.
  private final class Seen: Sendable {
    private let ids = Guarded<[String?]>([])

    var values: [String?] { ids.withLock { $0 } }

    func note(_ id: String?) { ids.withLock { $0.append(id) } }
  }
#endif
