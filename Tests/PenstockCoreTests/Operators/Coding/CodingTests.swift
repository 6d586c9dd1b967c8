// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CodingTests {
  @Test func `Each value is encoded, by the encoder that was given`() {
    let recorder = Recorder<String, any Error>()
    [1, 2, 3].publisher.encode(encoder: TextEncoder()).subscribe(recorder)
    #expect(recorder.values == ["1", "2", "3"])
    #expect(recorder.isFinished)
  }

  @Test func `Each value is decoded, as the type that was asked for`() {
    let recorder = Recorder<Int, any Error>()
    [1, 2, 3].publisher.decode(type: Int.self, decoder: NumberDecoder()).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test func `What the encoder throws fails the stream where it happens`() {
    let recorder = Recorder<String, any Error>()
    [1, 2, 3].publisher.encode(encoder: TextEncoder(refused: 2)).subscribe(recorder)
    #expect(recorder.values == ["1"])
    #expect(recorder.completions.map { "\($0)" } == ["failure(oops)"])
  }

  @Test func `What the decoder throws fails the stream where it happens`() {
    let recorder = Recorder<Int, any Error>()
    [1, 2, 3].publisher.decode(type: Int.self, decoder: NumberDecoder(refused: 2)).subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions.map { "\($0)" } == ["failure(oops)"])
  }

  @Test func `The coder is used anew for each value, and not before`() {
    final class Counting: TopLevelEncoder {
      var count = 0
      func encode<T: Encodable>(_ value: T) -> Int {
        count += 1
        return count
      }
    }
    let coder = Counting()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, any Error>()
    source.encode(encoder: coder).subscribe(recorder)
    #expect(coder.count == 0)
    source.send(5)
    source.send(5)
    #expect(recorder.values == [1, 2])
  }

  @Test func `The mirror shows upstream's subscription until the end`() {
    let source = ManualPublisher<Int, TestError>()
    source.encode(encoder: TextEncoder()).subscribe(Recorder<String, any Error>())
    let shown = { (label: String) in source.subscribers[0].customMirror.descendant(label) }
    #expect(shown("finished") as? Bool == false)
    #expect(shown("upstreamSubscription") as? ManualSubscription === source.subscription)
    source.send(completion: .finished)
    #expect(shown("finished") as? Bool == true)
    #expect(shown("upstreamSubscription") as? ManualSubscription == nil)
  }

  @Test func `After an end that came before the subscription nothing comes any more`() {
    let pipeline = ManualPipeline(subscribed: false, demand: nil) { (upstream: Upstream<TestError>) in
      upstream.encode(encoder: TextEncoder())
    }
    pipeline.finish()
    #expect(pipeline.send(1) == .none)
    pipeline.fail()
    pipeline.subscribe()
    #expect(pipeline.events == ["finished"])
    #expect(pipeline.subscription.calls == [.cancelled])
  }
}
