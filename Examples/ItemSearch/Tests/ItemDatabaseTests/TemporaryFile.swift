// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// A path in a separate folder, which is removed with everything that SQLite puts beside the file.
final class TemporaryFile: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "items-\(UUID())")

  var path: String { folder.appending(path: "items.sqlite").path }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
