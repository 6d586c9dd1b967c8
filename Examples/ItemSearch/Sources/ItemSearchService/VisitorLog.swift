// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase
import Penstock
import PenstockConcurrency

/// The events in a visitor's pipeline, as they are sent to the visitor's page.
///
/// A visitor that doesn't read misses the oldest events, so its cost is bounded.
final class VisitorLog: Sendable {
  /// An event, and when it happened, in milliseconds since the visitor arrived.
  struct Entry: Sendable {
    let time: Int
    let event: VisitorEvent
  }

  /// The maximum number of events that wait for a visitor.
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
