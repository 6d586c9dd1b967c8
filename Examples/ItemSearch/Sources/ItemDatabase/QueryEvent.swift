// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What happens to a query, as the database tells it.
///
/// Of ``withdrawn``, ``finished(_:)``, ``interrupted(after:)`` and ``failed``, each query has one.
public enum QueryEvent: Hashable, Sendable {
  /// It is waiting for a connection.
  case queued
  /// It has been given up before it began. SQLite has not heard of it.
  case withdrawn
  /// It has reached SQLite.
  case began
  /// It has found what it could, in this time since it began.
  case finished(Duration)
  /// It was given up while it ran, and stopped this long after.
  case interrupted(after: Duration)
  /// It has failed.
  case failed
}
