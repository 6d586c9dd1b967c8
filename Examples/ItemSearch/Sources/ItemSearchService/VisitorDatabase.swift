// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import ItemListController
import Penstock
import PenstockConcurrency
import Synchronization

/// The database as one visitor sees it: it tells the visitor's page what happens to each query, and makes no query for
/// a visitor that has not read the previous answer.
///
/// **Concurrency:** any thread may use it; the database is shared, this object's own state is not.
final class VisitorDatabase: ItemLoading, Sendable {
  private let database: ItemDatabase
  private let log: VisitorLog
  private let scheduler: TaskScheduler<ContinuousClock>
  private let queries = Atomic(0)
  private let milliseconds = Atomic(0)

  /// Whether the visitor's stream has taken the previous answer.
  ///
  /// This is where demand reaches the database: `assign(to:)` takes every answer, so a question has to wait, and not
  /// its answer.
  private let hasReadAnswer = CurrentValueSubject<Bool, Never>(true)

  init(_ database: ItemDatabase, log: VisitorLog, scheduler: TaskScheduler<ContinuousClock>) {
    (self.database, self.log, self.scheduler) = (database, log, scheduler)
  }

  /// Sets how long each answer is on its way, so that a slow connection can be tried out.
  func setPace(milliseconds: Int) { self.milliseconds.store(milliseconds, ordering: .relaxed) }

  /// Records that the list shows an answer that the visitor's stream has not taken yet.
  ///
  /// Only the list knows this: an answer from here may be superseded before it gets there.
  func answerIsShown() { hasReadAnswer.send(false) }

  /// Records that the visitor's stream has taken what the list shows.
  func answerIsRead() { hasReadAnswer.send(true) }

  func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[Item], Never> {
    // An empty field isn't a question.
    guard !filter.allSatisfy(\.isWhitespace) else { return Just([]).eraseToAnyPublisher() }
    let number = queries.add(1, ordering: .relaxed).newValue
    let delay = milliseconds.load(ordering: .relaxed)
    let hasBegun = Flag()
    let answer =
      hasReadAnswer
      .first { $0 }
      .flatMap { [database] _ in
        database.items(matching: filter) { event in
          if event == .began { hasBegun.set() }
        }
      }
    let late =
      delay == 0
      ? answer.eraseToAnyPublisher()
      : answer.delay(for: .milliseconds(delay), scheduler: scheduler).eraseToAnyPublisher()
    return
      late
      .handleEvents(
        receiveSubscription: { [log] _ in log.tell(.query(number: number, filter: filter)) },
        receiveOutput: { [log] items in log.tell(.results(number: number, count: items.count)) },
        receiveCompletion: { [log] end in
          if case .failure = end { log.tell(.failed(number: number)) }
        },
        receiveCancel: { [log] in log.tell(.superseded(number: number, hasBegun: hasBegun.isSet)) }
      )
      .catch { _ in Empty() }
      .eraseToAnyPublisher()
  }
}

/// A flag that is set once, by any thread.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
