// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockKit
import Synchronization

/// A client with callbacks, as database drivers have: it reads rows in batches, on a queue of its own.
public final class Cursor: Sendable {
  /// The reason why no more rows arrive.
  public enum Failure: Error { case lost, closed }

  private struct State {
    var next = 0
    var isClosed = false
    var batches: [Int] = []
  }

  private let count: Int
  private let isLost: Bool
  private let answersAtOnce: Bool
  private let queue = DispatchQueue(label: "cursor")
  private let state = Mutex(State())

  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - isLost: Whether the connection is lost after the last row.
  ///   - answersAtOnce: Whether it calls back within the call, as when the rows are in memory.
  public init(count: Int, isLost: Bool = false, answersAtOnce: Bool = false) {
    self.count = count
    self.isLost = isLost
    self.answersAtOnce = answersAtOnce
  }

  /// How many rows each call has asked for.
  public var batches: [Int] { state.withLock { $0.batches } }

  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Reads rows, and calls back on the queue: with fewer than wanted near the end, and with none after it.
  public func fetch(_ wanted: Int, whenDone: @escaping @Sendable (Result<[Int], Failure>) -> Void) {
    if answersAtOnce { return whenDone(read(wanted)) }
    queue.async { [self] in whenDone(read(wanted)) }
  }

  /// Stops: what has not been answered is answered with a failure.
  public func close() { state.withLock { $0.isClosed = true } }

  private func read(_ wanted: Int) -> Result<[Int], Failure> {
    state.withLock { state in
      if state.isClosed { return .failure(.closed) }
      state.batches.append(wanted)
      let rows = state.next..<min(count, state.next + wanted)
      if rows.isEmpty, isLost { return .failure(.lost) }
      state.next = rows.upperBound
      return .success(Array(rows))
    }
  }
}

extension Publishers {
  /// Publishes the rows of a cursor, reading no more than are requested, up to a hundred at a time.
  public static func rows(of makeCursor: @escaping () -> Cursor) -> some Publisher<Int, Cursor.Failure> {
    source { CursorStage(cursor: makeCursor()) }
  }
}

struct CursorStage: CallbackStage {
  let cursor: Cursor

  func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, Cursor.Failure>) {
    cursor.fetch(min(demand.max ?? 100, 100)) { result in
      switch result {
      case .success([]): callback.send(completion: .finished)
      case .success(let rows): callback.send(rows)
      case .failure(let error): callback.send(completion: .failure(error))
      }
    }
  }

  func cancel() { cursor.close() }
}
