// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import MarbleRoster
import PenstockTesting

// Draws the pictures of the operators into the catalogues of the documentation; see Utilities/docs/marbles.
//
//   DrawMarbles ROOT           draws all of them, and removes what belongs to no operator
//   DrawMarbles ROOT NAME...   draws some

let root = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
let names = CommandLine.arguments.dropFirst(2)
let pictures = OperatorPicture.all.filter { names.isEmpty || names.contains($0.name) }
var failures = 0
for picture in pictures {
  do {
    try await picture.verify()
    for appearance in [MarbleAppearance.light, .dark] {
      let file = root.appending(path: picture.path(appearance))
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(picture.svg(appearance).utf8).write(to: file)
    }
  } catch {
    failures += 1
    print("\(picture.name): \(error)\n")
  }
}
if names.isEmpty {
  let known = Set(pictures.flatMap { [$0.path(.light), $0.path(.dark)] })
  for module in OperatorPicture.Module.allCases {
    let folder = root.appending(path: OperatorPicture.folder(of: module))
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !known.contains("\(OperatorPicture.folder(of: module))/\(file)") {
      try FileManager.default.removeItem(at: folder.appending(path: file))
    }
  }
}
print("\(pictures.count - failures) pictures were drawn, \(failures) do not show what their operators do")
exit(failures == 0 ? 0 : 1)
