// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import ItemDatabase
import Testing

@Suite("A parser of package lists")
struct PackageListParserTests {
  private let list = """
    Package: gate
    Version: 1.2-3
    Installed-Size: 512
    Maintainer: Ada <ada@example.org>
    Description: opens and closes
     Package: not this one
    Homepage: https://example.org/gate
    Section: contrib/games

    Status: installed
    Package: weir
    Description: grüner Überlauf

    Section: none
    """

  private func packages(in pieces: [Data]) -> [ItemRecord] {
    var (parser, records) = (PackageListParser(), [ItemRecord]())
    for piece in pieces { parser.read(piece) { records.append($0) } }
    parser.finish { records.append($0) }
    return records
  }

  @Test func `reads the fields that are shown, and no paragraph without a name`() {
    let expected = [
      ItemRecord(
        name: "gate", section: "games", summary: "opens and closes", version: "1.2-3",
        maintainer: "Ada <ada@example.org>", homepage: "https://example.org/gate", size: 512),
      ItemRecord(name: "weir", summary: "grüner Überlauf"),
    ]
    #expect(packages(in: [Data(list.utf8)]) == expected)
    // Wherever the pieces end, even within a letter.
    for size in 1...7 {
      let pieces = stride(from: 0, to: list.utf8.count, by: size).map { Data(list.utf8.dropFirst($0).prefix(size)) }
      #expect(packages(in: pieces) == expected)
    }
  }

  @Test func `takes what is no list for an empty one`() {
    #expect(packages(in: []).isEmpty)
    #expect(packages(in: [Data([0xFF, 0x0A, 0x50, 0x3A, 0xFE, 0x0A, 0x0A])]).isEmpty)
  }
}
