// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import ServerSentEvents

/// An event that is sent to the page of a visitor.
///
/// All events but the items are small: they say what happens in the visitor's pipeline, and when.
enum VisitorEvent: Sendable {
  /// The stream begins: says where to send keystrokes, and what is searched.
  case welcome(id: String, count: Int, origin: String)
  /// Typing has paused, and a query is on its way.
  case query(number: Int, filter: String)
  /// A query has been given up for a newer one. It had begun, or never reached the database.
  case superseded(number: Int, hasBegun: Bool)
  /// An answer has arrived.
  case results(number: Int, count: Int)
  /// The database has failed, and the list stays as it is.
  case failed(number: Int)
  /// The items that the list shows from now on.
  case items([Item])
  /// The service is asked for an item's details, for the first time or once more.
  case attempt(item: Item.ID)
  /// An attempt has failed.
  case attemptFailed(item: Item.ID, reason: String)
  /// The service has answered.
  case details(item: Item.ID, ItemRecord)
  /// There will be no details.
  case noDetails(reason: String)

  /// The event as it is sent.
  ///
  /// - Parameter time: When it happened, in milliseconds since the stream began.
  func frame(at time: Int) throws -> ServerSentEvent {
    switch self {
    case .welcome(let id, let count, let origin):
      try ServerSentEvent("welcome", Welcome(at: time, id: id, count: count, origin: origin))
    case .query(let number, let filter):
      try ServerSentEvent("query", Step(at: time, number: number, filter: filter))
    case .superseded(let number, let hasBegun):
      try ServerSentEvent("superseded", Step(at: time, number: number, hasBegun: hasBegun))
    case .results(let number, let count):
      try ServerSentEvent("results", Step(at: time, number: number, count: count))
    case .failed(let number):
      try ServerSentEvent("failed", Step(at: time, number: number))
    case .items(let items):
      try ServerSentEvent("items", items)
    case .attempt(let item):
      try ServerSentEvent("attempt", Attempt(at: time, item: item))
    case .attemptFailed(let item, let reason):
      try ServerSentEvent("attemptFailed", Attempt(at: time, item: item, reason: reason))
    case .details(let item, let record):
      try ServerSentEvent("details", Details(at: time, item: item, record: record))
    case .noDetails(let reason):
      try ServerSentEvent("noDetails", Attempt(at: time, reason: reason))
    }
  }

  private struct Welcome: Encodable {
    let at: Int
    let id: String
    let count: Int
    let origin: String
  }

  private struct Step: Encodable {
    let at: Int
    let number: Int
    var filter: String?
    var hasBegun: Bool?
    var count: Int?
  }

  private struct Attempt: Encodable {
    let at: Int
    var item: Item.ID?
    var reason: String?
  }

  private struct Details: Encodable {
    let at: Int
    let item: Item.ID
    let record: ItemRecord
  }
}
