// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import GRDB

/// All that is known of an item.
public struct ItemRecord: Codable, FetchableRecord, Hashable, Sendable, TableRecord {
  /// The table that it is a row of.
  public static let databaseTableName = "item"

  /// Its name, which no other item has.
  public var name: String
  /// What kind of item it is.
  public var section: String
  /// A line about it.
  public var summary: String
  /// Its version.
  public var version: String
  /// Who looks after it.
  public var maintainer: String
  /// Where there is more to read.
  public var homepage: String
  /// How large it is, in kibibytes.
  public var size: Int

  /// Creates a record.
  public init(
    name: String, section: String = "", summary: String, version: String = "", maintainer: String = "",
    homepage: String = "", size: Int = 0
  ) {
    (self.name, self.section, self.summary, self.version) = (name, section, summary, version)
    (self.maintainer, self.homepage, self.size) = (maintainer, homepage, size)
  }
}
