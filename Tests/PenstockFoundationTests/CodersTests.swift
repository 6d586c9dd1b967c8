// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

@Suite struct CodersTests {
  struct Point: Codable, Equatable {
    var x: Int
    var y: Int
  }

  private let points = [Point(x: 1, y: 2), Point(x: 3, y: 4)]

  @Test func `Values survive JSON`() {
    let recorder = Recorder<Point, any Error>()
    points.publisher.encode(encoder: JSONEncoder()).decode(type: Point.self, decoder: JSONDecoder())
      .subscribe(recorder)
    #expect(recorder.values == points)
    #expect(recorder.isFinished)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `Values survive property lists`(_ format: PropertyListSerialization.PropertyListFormat) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let recorder = Recorder<Point, any Error>()
    points.publisher.encode(encoder: encoder).decode(type: Point.self, decoder: PropertyListDecoder())
      .subscribe(recorder)
    #expect(recorder.values == points)
    #expect(recorder.isFinished)
  }

  @Test func `What is delivered is data`() {
    let recorder = Recorder<Data, any Error>()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    points.publisher.encode(encoder: encoder).subscribe(recorder)
    #expect(recorder.values == [Data(#"{"x":1,"y":2}"#.utf8), Data(#"{"x":3,"y":4}"#.utf8)])
  }

  @Test func `What cannot be decoded fails the stream with the decoder's error`() {
    let recorder = Recorder<Point, any Error>()
    [Data("[]".utf8), Data(#"{"x":1,"y":2}"#.utf8)].publisher
      .decode(type: Point.self, decoder: JSONDecoder())
      .subscribe(recorder)
    #expect(recorder.values.isEmpty)
    guard case .failure(let error) = recorder.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error is DecodingError)
  }
}
