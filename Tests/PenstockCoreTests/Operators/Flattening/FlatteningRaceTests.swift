// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Several threads use one `flatMap`, `switchToLatest`, `prefix(untilOutputFrom:)` or `drop(untilOutputFrom:)`.
@Suite struct FlatteningRaceTests {
  typealias Subject = PassthroughSubject<Int, TestError>

  @Test(arguments: [false, true])
  func `Streams on several threads lose nothing and never overlap`(_ asksForAll: Bool) {
    for _ in 0..<20 {
      let streams = (0..<3).map { _ in Subject() }
      let probe = UncheckedBox(Recorder<Int, TestError>(demand: nil))
      streams.publisher.setFailureType(to: TestError.self).flatMap { ExactSource($0) }.subscribe(probe.value)
      probe.value.request(asksForAll ? .unlimited : .max(1))
      probe.value.onValue = { _ in .max(1) }
      let boxed = UncheckedBox(streams)
      onThreads(3) { index in
        for value in 0..<300 { boxed.value[index].send(index * 1_000 + value) }
        boxed.value[index].send(completion: .finished)
      }
      #expect(probe.value.isSerial)
      #expect(probe.value.values.count == 900)
      for index in 0..<3 {
        #expect(probe.value.values.filter { $0 / 1_000 == index } == (0..<300).map { index * 1_000 + $0 })
      }
      #expect(probe.value.completions.count == 1)
    }
  }

  @Test func `Requests from several threads deliver exactly what was asked for, from streams that deliver inside`() {
    for _ in 0..<20 {
      let probe = UncheckedBox(Recorder<Int, TestError>(demand: nil))
      (0..<4).publisher.setFailureType(to: TestError.self).flatMap { _ in ExactSource(1_000) }.subscribe(probe.value)
      onThreads(3) { _ in for _ in 0..<300 { probe.value.request(.max(1)) } }
      #expect(probe.value.values.count == 900)
      onThreads(3) { _ in for _ in 0..<1_100 { probe.value.request(.max(1)) } }
      #expect(probe.value.values.count == 4_000)
      #expect(probe.value.completions.count == 1)
      #expect(probe.value.isSerial)
    }
  }

  @Test func `A request for everything races with streams that are being opened`() {
    for _ in 0..<100 {
      let upstream = Subject()
      let probe = UncheckedBox(Recorder<Int, TestError>(demand: nil))
      upstream.flatMap { _ in ExactSource(5) }.subscribe(probe.value)
      onThreads([
        { for value in 0..<20 { upstream.send(value) } },
        { probe.value.request(.unlimited) },
      ])
      upstream.send(completion: .finished)
      #expect(probe.value.values.count == 100)
      #expect(probe.value.completions.count == 1)
    }
  }

  @Test func `Demand is conserved while streams are switched and asked for from other threads`() {
    for _ in 0..<50 {
      let upstream = PassthroughSubject<ExactSource, TestError>()
      let probe = UncheckedBox(Recorder<Int, TestError>(demand: nil))
      upstream.switchToLatest().subscribe(probe.value)
      onThreads([
        { for _ in 0..<50 { upstream.send(ExactSource(3)) } },
        { for _ in 0..<100 { probe.value.request(.max(1)) } },
        { for _ in 0..<100 { probe.value.request(.max(1)) } },
      ])
      #expect(probe.value.isSerial)
      #expect(probe.value.values.count <= 200)
      upstream.send(ExactSource(1_000))
      // Demand that has not been met so far is met now, exactly.
      #expect(probe.value.values.count == 200)
    }
  }

  @Test func `A switch on one thread while another delivers an old stream's value`() {
    let upstream = PassthroughSubject<Subject, TestError>()
    let (old, new) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere {
        upstream.send(new)
        new.send(3)
      }
      return .none
    }
    upstream.switchToLatest().subscribe(recorder)
    upstream.send(old)
    old.send(1)
    old.send(2)
    new.send(4)
    #expect(recorder.values.first == 1)
    #expect(recorder.values.last == 4)
    #expect(!recorder.values.contains(2))
  }

  @Test func `A cancel from another thread while a stream delivers`() {
    let upstream = Subject()
    let streams = UncheckedBox([Subject(), Subject()])
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { [unowned recorder] _ in
      elsewhere {
        streams.value[1].send(2)
        recorder.cancel()
      }
      return .none
    }
    upstream.flatMap { streams.value[$0] }.subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    streams.value[0].send(1)
    for stream in streams.value { stream.send(3) }
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  /// The objects that threads use, which can be taken from them: a thread may outlive its work by a moment.
  private struct Stage {
    let upstream: Subject
    let streams: [Subject]
    let probe: Recorder<Int, TestError>
  }

  @Test func `Values, requests, failures and a cancel race, and nothing is left`() {
    for round in 0..<100 {
      var graveyard = Graveyard()
      do {
        let stage = Locked<Stage?>(
          Stage(
            upstream: graveyard.watch(Subject(), "upstream"),
            streams: (0..<2).map { graveyard.watch(Subject(), "stream \($0)") },
            probe: graveyard.watch(Recorder<Int, TestError>(demand: nil), "subscriber")))
        stage.value!.upstream.flatMap { [streams = stage.value!.streams] in streams[$0 % 2] }
          .subscribe(stage.value!.probe)
        onThreads([
          { for value in 0..<20 { stage.value!.upstream.send(value) } },
          { for value in 0..<50 { stage.value!.streams[0].send(value) } },
          {
            for value in 0..<50 { stage.value!.streams[1].send(value) }
            if round % 3 == 0 { stage.value!.streams[1].send(completion: .failure(.oops)) }
          },
          {
            for _ in 0..<10 { stage.value!.probe.request(.max(3)) }
            if round % 3 == 1 { stage.value!.probe.cancel() }
          },
        ])
        if round % 3 == 0 { stage.value!.upstream.send(1) }
        if round % 3 == 2 { stage.value!.upstream.send(completion: .failure(.oops)) }
        let probe = stage.value!.probe
        #expect(probe.isSerial)
        #expect(probe.values.count <= 30)
        #expect(probe.completions.count == (round % 3 == 1 ? 0 : 1))
        probe.releaseSubscriptions()
        stage.change { $0 = nil }
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test(arguments: ["prefix", "drop"])
  func `A trigger on another thread`(_ kind: String) {
    for _ in 0..<100 {
      let (source, trigger) = (Subject(), Subject())
      let probe = UncheckedBox(Recorder<Int, TestError>(demand: nil))
      if kind == "prefix" {
        source.prefix(untilOutputFrom: trigger).subscribe(probe.value)
      } else {
        source.drop(untilOutputFrom: trigger).subscribe(probe.value)
      }
      onThreads([
        { probe.value.request(.unlimited) },
        { for value in 0..<100 { source.send(value) } },
        { trigger.send(0) },
      ])
      source.send(100)
      source.send(completion: .finished)
      #expect(probe.value.isSerial)
      #expect(probe.value.completions.count == 1)
      let values = probe.value.values
      // Consecutive values, except for those that came before the request.
      if let first = values.first { #expect(values == Array(first..<first + values.count)) }
      #expect((values.last == 100) == (kind == "drop"))
    }
  }

  @Test(arguments: ["flatMap", "switchToLatest", "prefix", "drop"])
  func `During a value's delivery another thread may send, request and cancel`(_ kind: String) {
    let (source, other) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      elsewhere {
        source.send(2)
        other.send(2)
        recorder.request(.max(1))
        _ = String(describing: recorder.subscriptions)
        recorder.cancel()
        other.send(3)
      }
      return .none
    }
    switch kind {
    case "flatMap": source.flatMap { _ in other }.subscribe(recorder)
    case "switchToLatest": source.map { _ in other }.switchToLatest().subscribe(recorder)
    case "prefix": source.prefix(untilOutputFrom: other).subscribe(recorder)
    default: source.drop(untilOutputFrom: other).subscribe(recorder)
    }
    if kind != "prefix" { (kind == "drop" ? other : source).send(0) }
    (kind == "prefix" || kind == "drop" ? source : other).send(1)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `During flatMap's closure another thread may deliver, request and cancel`() {
    let (source, other) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    source.flatMap { value in
      if value == 1 {
        elsewhere {
          other.send(7)
          recorder.request(.max(1))
          recorder.cancel()
        }
      }
      return other
    }.subscribe(recorder)
    source.send(0)
    source.send(1)
    other.send(8)
    #expect(recorder.values == [7])
  }
}
