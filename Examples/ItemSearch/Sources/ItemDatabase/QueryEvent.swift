// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An event in the course of a query, as the database reports it.
///
/// Each query has exactly one of ``withdrawn``, ``finished(_:)``, ``interrupted(after:)`` and ``failed``.
public enum QueryEvent: Hashable, Sendable {
  /// It is waiting for a connection.
  case queued
  /// It has been given up before it began. SQLite has not seen it.
  case withdrawn
  /// It has reached SQLite.
  case began
  /// It has finished, in this time since it began.
  case finished(Duration)
  /// It was given up while it ran, and stopped this much later.
  case interrupted(after: Duration)
  /// It has failed.
  case failed
}
