// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import ItemListController
import Penstock
import PenstockConcurrency
import PenstockInspector
import PenstockOperators
import ServerSentEvents

/// A visitor: the two controllers behind a page, and the stream that the page shows.
///
/// It exists for as long as the stream does. The keystrokes of a visitor arrive one after the other, whatever
/// connections they take.
actor Visitor {
  nonisolated let id: String

  /// The events that the page shows, for one subscriber: the response that the visitor reads.
  ///
  /// **Demand:** an event is prepared when the previous one has been written. Of the items, the latest are kept; of the
  /// other events, the last ``VisitorLog/capacity``. A visitor that doesn't read makes no queries.
  nonisolated let events: AnySendablePublisher<ServerSentEvent, any Error>

  private let list: ItemListController<TaskScheduler<ContinuousClock>>
  private let details: ItemDetailsController
  private nonisolated let source: VisitorDatabase
  private nonisolated let token = Archive.Token()
  private let shown: AnyCancellable
  private var lastKey = 0

  init(id: String, database: ItemDatabase, archive: Archive, policy: RetryPolicy) {
    self.id = id
    let (log, scheduler) = (VisitorLog(), TaskScheduler())
    let source = VisitorDatabase(database, log: log, scheduler: scheduler)
    let list = ItemListController(database: source, scheduler: scheduler)
    let details = ItemDetailsController(
      loader: Self.loader(of: archive, token: token, policy: policy, scheduler: scheduler, log: log))

    // Subscribed before the stream subscribes, so that an answer is shown before it is read.
    shown = list.$items.sink { _ in source.answerIsShown() }
    let items = list.$items.sendable
      .handleEvents(receiveOutput: { _ in source.answerIsRead() })
      .map { log.entry(.items($0)) }
    let selected = details.$details.sendable
      .compactMap { result -> VisitorEvent? in
        switch result {
        case .success((let id, let record)): .details(item: id, record)
        case .failure(let error): .noDetails(reason: (error as? DetailsError)?.text ?? "the archive has failed")
        case nil: nil
        }
      }
      .map { log.entry($0) }
    events = log.entries
      .merge(with: items, selected)
      .prepend(log.entry(.welcome(id: id, count: database.count, origin: database.origin)))
      .tryMap { try $0.event.frame(at: $0.time) }
      .inspected("to the page")
      .eraseToAnySendablePublisher()
    (self.list, self.details, self.source) = (list, details, source)
  }

  /// Handles what the visitor has typed.
  ///
  /// - Parameters:
  ///   - filter: The content of the field.
  ///   - key: The number of the keystroke. Requests may overtake each other, and an older one is ignored.
  func type(_ filter: String, key: Int) {
    guard key > lastKey else { return }
    lastKey = key
    list.filter = filter
  }

  /// Handles the visitor's selection of an item.
  func select(_ item: Item.ID) { details.selection = item }

  /// Gives the visitor a new token for the archive.
  nonisolated func renewToken() { token.renew() }

  /// Sets how long answers take, as the visitor wishes.
  nonisolated func setPace(milliseconds: Int) { source.setPace(milliseconds: milliseconds) }

  private static func loader(
    of archive: Archive, token: Archive.Token, policy: RetryPolicy, scheduler: TaskScheduler<ContinuousClock>,
    log: VisitorLog
  ) -> DetailsLoader<TaskScheduler<ContinuousClock>> {
    DetailsLoader(policy: policy, scheduler: scheduler) { id in
      Deferred { () async throws -> ItemRecord in try await archive.details(of: id, for: token) }
        .handleEvents(
          receiveSubscription: { _ in log.tell(.attempt(item: id)) },
          receiveCompletion: { end in
            guard case .failure(let error) = end else { return }
            log.tell(.attemptFailed(item: id, reason: (error as? DetailsError)?.text ?? "the archive has failed"))
          }
        )
        .eraseToAnyPublisher()
    }
  }
}
