// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import MarbleRoster
import PenstockTesting
public import Testing

extension OperatorPicture: CustomTestStringConvertible {
  public var testDescription: String { name }
}

/// The pictures in the documentation: each shows what its operator does, and the file is what is drawn of it.
@Suite struct OperatorPictureTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  // Pictures of tasks wait for what they show.
  @Test(.timeLimit(.minutes(5)), arguments: OperatorPicture.all)
  func `The operator does what its picture shows`(_ picture: OperatorPicture) async throws {
    try await picture.verify()
  }

  @Test(arguments: OperatorPicture.all)
  func `The file is what is drawn of the picture`(_ picture: OperatorPicture) throws {
    for appearance in [MarbleAppearance.light, .dark] {
      let path = picture.path(appearance)
      let file = try? String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      #expect(try file == picture.svg(appearance), "\(path) is missing or old: run Utilities/docs/marbles")
    }
  }

  @Test(arguments: OperatorPicture.Module.allCases)
  func `No file belongs to no picture`(_ module: OperatorPicture.Module) throws {
    let folder = OperatorPicture.folder(of: module)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path)
    let known = Set(OperatorPicture.all.flatMap { [$0.path(.light), $0.path(.dark)] })
    let unknown = files.filter { !known.contains("\(folder)/\($0)") }
    #expect(unknown.isEmpty, "run Utilities/docs/marbles")
    #expect(!files.isEmpty)
  }

  @Test func `Each picture has a name of its own, and shows something`() throws {
    #expect(Set(OperatorPicture.all.map(\.name)).count == OperatorPicture.all.count)
    for picture in OperatorPicture.all {
      let diagram = try picture.diagram()
      #expect(picture.title.hasSuffix("."), "\(picture.name)")
      #expect(!diagram.label.isEmpty, "\(picture.name)")
      #expect(diagram.lanes.contains { $0.name.hasPrefix("expected") && !$0.marks.isEmpty }, "\(picture.name)")
    }
  }

  /// The marbles of a line, as their extents.
  private struct Marble {
    let y, left, right: Int
  }

  @Test(arguments: OperatorPicture.all)
  func `Marbles neither overlap nor stand outside of the picture`(_ picture: OperatorPicture) throws {
    let svg = try picture.svg(.light)
    let size = try #require(svg.firstMatch(of: /width="(\d+)" height="(\d+)"/))
    let width = try #require(Int(size.output.1))
    #expect(width <= 700, "too wide to be readable")
    let shapes = svg.matches(of: /<rect class="[mr][^>]* x="(-?\d+)" y="(-?\d+)" width="(\d+)"/)
    let marbles = try shapes.map { shape in
      let x = try #require(Int(shape.output.1))
      let marbleWidth = try #require(Int(shape.output.3))
      return Marble(y: try #require(Int(shape.output.2)), left: x, right: x + marbleWidth)
    }
    for (index, marble) in marbles.enumerated() {
      #expect(marble.left >= 0 && marble.right <= width, "a marble at \(marble.left) is cut off")
      for other in marbles[..<index] where other.y == marble.y {
        #expect(marble.left >= other.right || other.left >= marble.right, "two marbles at \(marble.left) overlap")
      }
    }
  }
}
