// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MapKeyPathTests {
  private struct Place {
    var name: String
    var position: (x: Int, y: Int)
    var tags: [String]
    var distance: Int { position.x + position.y }
  }

  private final class Counter {
    var count = 0
  }

  private let source = ManualPublisher<Place, TestError>()
  private let place = Place(name: "weir", position: (3, 4), tags: ["water"])

  @Test func `One property`() {
    let recorder = Recorder<Int, TestError>()
    source.map(\.distance).subscribe(recorder)
    source.send(place)
    #expect(recorder.values == [7])
  }

  @Test func `Two properties make a pair`() {
    let recorder = Recorder<(String, Int), TestError>()
    source.map(\.name, \.position.x).subscribe(recorder)
    source.send(place)
    #expect(recorder.values.map(\.0) == ["weir"])
    #expect(recorder.values.map(\.1) == [3])
  }

  @Test func `Three properties make a triple`() {
    let recorder = Recorder<(String, Int, String?), TestError>()
    source.map(\.name, \.position.y, \.tags.first).subscribe(recorder)
    source.send(place)
    #expect(recorder.values.map(\.0) == ["weir"])
    #expect(recorder.values.map(\.1) == [4])
    #expect(recorder.values.map(\.2) == ["water"])
  }

  @Test func `A property of an object is read when the value passes`() {
    let objects = ManualPublisher<Counter, Never>()
    let recorder = Recorder<Int, Never>()
    objects.map(\.count).subscribe(recorder)
    let counter = Counter()
    objects.send(counter)
    counter.count = 5
    objects.send(counter)
    #expect(recorder.values == [0, 5])
  }

  @Test func `The key paths can be read from the publishers and seen in the mirrors`() throws {
    let one = source.map(\.name)
    let two = source.map(\.name, \.distance)
    let three = source.map(\.name, \.distance, \.tags)
    #expect(one.keyPath == \Place.name)
    #expect((two.keyPath0, two.keyPath1) == (\Place.name, \Place.distance))
    #expect((three.keyPath0, three.keyPath1, three.keyPath2) == (\Place.name, \Place.distance, \Place.tags))
    #expect(one.upstream === source && two.upstream === source && three.upstream === source)

    three.subscribe(Recorder<(String, Int, [String]), TestError>())
    let shown = Array(source.subscribers[0].customMirror.children)
    #expect(shown.map { $0.value as? AnyKeyPath } == [\Place.name, \Place.distance, \Place.tags])
  }
}
