// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import Penstock
import PenstockConcurrency

/// What happens in a visitor's pipeline, as it is told to the visitor's page.
///
/// A visitor that doesn't read misses the oldest of it: what it costs has an end.
final class VisitorLog: Sendable {
  /// An event, and when it happened, in milliseconds since the visitor came.
  struct Entry: Sendable {
    let time: Int
    let event: VisitorEvent
  }

  /// How many events wait for a visitor.
  static let capacity = 64

  private let subject = PassthroughSubject<Entry, Never>()
  private let start = ContinuousClock.now

  var entries: AnySendablePublisher<Entry, Never> {
    subject.sendable
      .buffer(size: Self.capacity, prefetch: .byRequest, whenFull: .dropOldest)
      .eraseToAnySendablePublisher()
  }

  func entry(_ event: VisitorEvent) -> Entry {
    Entry(time: Int(start.duration(to: .now) / .milliseconds(1)), event: event)
  }

  func tell(_ event: VisitorEvent) { subject.send(entry(event)) }
}
