// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MapTests {
  private typealias Source = ManualPublisher<Int, TestError>

  @Test(arguments: [0, 1, 5])
  func `Every value is transformed`(_ count: Int) {
    let recorder = Recorder<String, Never>()
    Publishers.Map(upstream: (0..<count).publisher) { "\($0)" }.subscribe(recorder)
    #expect(recorder.values == (0..<count).map(String.init))
    #expect(recorder.isFinished)
  }

  @Test func `Two maps are one, over the same upstream`() {
    let source = Source()
    let fused: Publishers.Map<Source, String> = source.map { $0 + 1 }.map { "<\($0)>" }
    #expect(fused.upstream === source)
    #expect(fused.transform(1) == "<2>")
  }

  @Test func `A map and a throwing one are one, in either order`() throws {
    let source = Source()
    let first: Publishers.TryMap<Source, String> = source.map { $0 + 1 }.tryMap { "<\($0)>" }
    let second: Publishers.TryMap<Source, String> = source.tryMap { $0 + 1 }.map { "<\($0)>" }
    let third: Publishers.TryMap<Source, String> = source.tryMap { $0 + 1 }.tryMap { "<\($0)>" }
    #expect(first.upstream === source && second.upstream === source && third.upstream === source)
    #expect(try first.transform(1) == "<2>")
    #expect(try second.transform(1) == "<2>")
    #expect(try third.transform(1) == "<2>")
  }

  @Test func `The second closure does not run when the first throws`() {
    var ran = false
    let fused = Source().tryMap { _ -> Int in throw TestError.oops }.map { number in
      ran = true
      return number
    }
    #expect(throws: TestError.oops) { try fused.transform(1) }
    #expect(!ran)
  }

  @Test func `Nothing is transformed before somebody subscribes`() {
    var count = 0
    let source = Source()
    let mapped = source.map { number in
      count += 1
      return number
    }
    mapped.subscribe(Recorder<Int, TestError>())
    #expect(count == 0)
    source.send(1)
    #expect(count == 1)
  }

  @Test func `A closure is freed with the stream`() {
    var graveyard = Graveyard()
    let source = Source()
    let recorder = Recorder<Int, TestError>()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      source.map { number in withExtendedLifetime(canary) { number } }.subscribe(recorder)
    }
    source.send(1)
    #expect(graveyard.survivors == ["closure"])
    source.send(completion: .finished)
    source.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `replaceNil puts a value in the place of nil`() {
    let source = ManualPublisher<Int?, Never>()
    let recorder = Recorder<Int, Never>()
    let replaced: Publishers.Map<ManualPublisher<Int?, Never>, Int> = source.replaceNil(with: 7)
    replaced.subscribe(recorder)
    source.send(1)
    source.send(nil)
    #expect(recorder.values == [1, 7])
  }
}
