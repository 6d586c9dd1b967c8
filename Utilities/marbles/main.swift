// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockTesting

// Draws marble diagrams, in the notation that `MarbleDiagram` describes.
//
//   swift run marbles FILE...             draws each file to an SVG beside it
//   swift run marbles FILE... --to PATH   draws them to a folder
//   swift run marbles -                   reads a diagram, and prints its picture
//
// The colors follow the reader's system; --light and --dark choose one. A comment at the top of the file, `// …`, becomes
// the title of the picture.

var (files, folder, appearance): ([String], String?, MarbleAppearance) = ([], nil, .automatic)
var arguments = CommandLine.arguments.dropFirst()
let usage = """
  usage: marbles FILE... [--to FOLDER] [--light | --dark]
         marbles -              reads a diagram, and prints its picture

  """

func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

while let argument = arguments.popFirst() {
  switch argument {
  case "--light": appearance = .light
  case "--dark": appearance = .dark
  case "--to":
    guard let path = arguments.popFirst() else { stop("--to wants a folder\n\(usage)") }
    folder = path
  case "--help", "-h":
    print(usage)
    exit(0)
  case _ where argument.hasPrefix("--"): stop("there is no option \(argument)\n\(usage)")
  default: files.append(argument)
  }
}
if files.isEmpty { stop(usage) }

/// The picture of a text.
func picture(_ text: String, of file: String, _ appearance: MarbleAppearance) -> String {
  do {
    let title = text.split(separator: "\n").prefix { $0.hasPrefix("//") }.map { $0.dropFirst(2).drop { $0 == " " } }
      .joined(separator: " ")
    return try MarbleDiagram(text).svg(title: title, appearance: appearance)
  } catch {
    stop(error.description(inFile: file))
  }
}

for file in files {
  if file == "-" {
    let text = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    print(picture(text, of: "standard input", appearance), terminator: "")
    continue
  }
  guard let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
    stop("\(file) cannot be read as text")
  }
  let svg = picture(text, of: file, appearance)
  var target = URL(filePath: file).deletingPathExtension().appendingPathExtension("svg")
  if let folder { target = URL(filePath: folder).appending(path: target.lastPathComponent) }
  do {
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(svg.utf8).write(to: target)
    print(target.relativePath)
  } catch {
    stop("\(target.relativePath) cannot be written: \(error.localizedDescription)")
  }
}
