// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import GRDB

/// An item that a visitor looks for: a package, or anything else with a name and a summary.
public struct Item: Codable, FetchableRecord, Hashable, Identifiable, Sendable {
  /// Its place in the list: items with short names come first.
  public let id: Int64
  /// Its name.
  public let name: String
  /// What kind of item it is.
  public let section: String
  /// A line about it.
  public let summary: String

  /// Creates an item.
  public init(id: Int64, name: String, section: String, summary: String) {
    (self.id, self.name, self.section, self.summary) = (id, name, section, summary)
  }

  /// Reads an item from a row of four columns, in the order of the properties: reading them by name would take as long
  /// as the search.
  public init(row: Row) {
    self.init(id: row[0], name: row[1], section: row[2], summary: row[3])
  }
}
