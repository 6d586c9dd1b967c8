// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// A text that exists on this machine anyway.
enum MachineText {
  /// The list of packages of Debian or of Alpine, the name of the system, or the list of its services.
  private static let candidates = [
    "/var/lib/dpkg/status", "/lib/apk/db/installed", "/etc/os-release", "/etc/services",
  ]

  /// The text for a machine without any of them.
  private static let sample = """
    Package: sluice
    Version: 1.2
    Description: a gate for water
     It opens and shuts.

    Package: turbine
    Version: 3.4
    Description: what the water drives

    """

  /// The first candidate that can be read.
  static let file: URL = {
    for path in candidates where (try? String(contentsOfFile: path, encoding: .utf8))?.isEmpty == false {
      return URL(filePath: path)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "penstock-sample.txt")
    try? sample.write(to: file, atomically: true, encoding: .utf8)
    return file
  }()

  /// Its lines, or as many as the tour has time for.
  static let lines: [String] = {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? sample
    return text.split(separator: "\n", maxSplits: 5_000, omittingEmptySubsequences: false).prefix(5_000).map(
      String.init)
  }()
}
