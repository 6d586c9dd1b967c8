// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Something to measure, on one library.
///
/// The same list of workloads is compiled for each.
public struct Workload: Sendable {
  /// What is counted, and divided by.
  public enum Kind: String, Sendable, Encodable {
    /// Values that go through one subscription.
    case values
    /// Subscriptions that are made and ended, or cancelled.
    case subscriptions
    /// Values that go through a queue of Dispatch, which costs more than either library.
    case queue
    /// Values that never meet the operator, since `Publishers.Sequence` works on its elements beforehand.
    case eager
  }

  public let name: String
  public let family: String
  public let kind: Kind

  /// How many values or subscriptions a measurement is made of.
  public let size: Int

  /// Carries it out with as many values or subscriptions as given.
  ///
  /// It returns a sum over everything delivered, on which the libraries have to agree: no work can be left out.
  public let run: @Sendable (Int) -> Int

  public init(
    _ name: String, _ family: String, _ kind: Kind = .values, size: Int = 50_000,
    _ run: @escaping @Sendable (Int) -> Int
  ) {
    self.name = name
    self.family = family
    self.kind = kind
    self.size = size
    self.run = run
  }
}

/// A subject with many subscribers, of which one operation at a time is measured.
public struct Crowd: Sendable {
  public let name: String

  /// Whether one operation reaches every subscriber.
  public let reachesAll: Bool

  /// Prepares as many subscribers as given, and then measures as many operations as given.
  public let measure: @Sendable (_ subscribers: Int, _ operations: Int) -> Duration

  public init(
    _ name: String, reachesAll: Bool, _ measure: @escaping @Sendable (_ subscribers: Int, _ operations: Int) -> Duration
  ) {
    self.name = name
    self.reachesAll = reachesAll
    self.measure = measure
  }
}
