// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import GRDB

/// The reason why there is no database.
public enum ItemDatabaseError: Error, Equatable, CustomStringConvertible {
  /// The file can't be opened or created.
  case cannotOpen(path: String, reason: String)
  /// The file is not such a database.
  case notADatabase(path: String)
  /// The system's SQLite is built without full-text search.
  case withoutFullTextSearch

  /// Says what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason):
      "The database \(path) can't be opened: \(reason). Name another file with --database."
    case .notADatabase(let path):
      "The file \(path) is no database of items. Remove it, or name another file with --database."
    case .withoutFullTextSearch:
      "This system's SQLite has no FTS5. Install one that is built with SQLITE_ENABLE_FTS5, as that of Debian is."
    }
  }

  init?(_ error: any Error, path: String) {
    switch error {
    case let error as ItemDatabaseError: self = error
    case let error as DatabaseError where error.message?.hasPrefix("no such module") == true:
      self = .withoutFullTextSearch
    case DatabaseError.SQLITE_NOTADB, DatabaseError.SQLITE_CORRUPT: self = .notADatabase(path: path)
    case let error as DatabaseError: self = .cannotOpen(path: path, reason: error.message ?? "\(error.resultCode)")
    case let error as CocoaError: self = .cannotOpen(path: path, reason: error.localizedDescription)
    default: return nil
    }
  }
}
