// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A workload to measure, on one library.
///
/// The same list of workloads is compiled for each library.
public struct Workload: Sendable {
  /// The unit that is counted, and by which the time is divided.
  public enum Kind: String, Sendable, Encodable {
    /// Values that go through one subscription.
    case values
    /// Subscriptions that are created and ended, or cancelled.
    case subscriptions
    /// Values that pass a Dispatch queue, which costs more than either library.
    case queue
    /// Values that never reach the operator, since `Publishers.Sequence` processes its elements eagerly.
    case eager
    /// Values through an operator that Combine does not have, compared with OpenCombine's nearest, which does less: a
    /// yardstick.
    case beyond
    /// Values through a pipeline that was added later, or pipelines that are made and dropped: these are kept apart, so
    /// that the mean stays that of the same workloads.
    case later
  }

  public let name: String
  public let family: String
  public let kind: Kind

  /// The number of values or subscriptions in one measurement.
  public let size: Int

  /// Runs the workload with a number of values or subscriptions.
  ///
  /// The result is a sum over everything delivered, on which the libraries have to agree: so no work can be left out.
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

/// A subject with many subscribers, on which one operation at a time is measured.
public struct Crowd: Sendable {
  public let name: String

  /// Whether one operation reaches every subscriber.
  public let reachesAll: Bool

  /// Prepares a number of subscribers, and then measures a number of operations.
  public let measure: @Sendable (_ subscribers: Int, _ operations: Int) -> Duration

  public init(
    _ name: String, reachesAll: Bool, _ measure: @escaping @Sendable (_ subscribers: Int, _ operations: Int) -> Duration
  ) {
    self.name = name
    self.reachesAll = reachesAll
    self.measure = measure
  }
}

/// A pipeline of which many are kept at a time.
public struct Standing: Sendable {
  public let name: String

  /// Makes one, with a source of its own, and returns the object that keeps it; `nil` if the pipelines share a source.
  public let one: (@Sendable (Tally) -> AnyObject)?

  /// Makes a number of them, and returns the objects that keep them.
  public let many: @Sendable (Int) -> [AnyObject]

  public init(_ name: String, one: @escaping @Sendable (Tally) -> AnyObject) {
    self.name = name
    self.one = one
    many = { count in
      let tally = Tally()
      return (0..<count).map { _ in one(tally) }
    }
  }

  public init(_ name: String, many: @escaping @Sendable (Int) -> [AnyObject]) {
    self.name = name
    self.one = nil
    self.many = many
  }
}

extension Workload {
  /// Makes pipelines and drops them, one by one; `nil` if the pipelines share a source.
  public static func making(_ pipeline: Standing) -> Workload? {
    guard let one = pipeline.one else { return nil }
    return Workload("make and drop, \(pipeline.name)", "making", .later, size: 10_000) { count in
      let tally = Tally()
      for _ in 0..<count { _ = opaque(one(tally)) }
      return count
    }
  }
}
