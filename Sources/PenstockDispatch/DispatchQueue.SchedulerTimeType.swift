// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch

extension DispatchQueue {
  /// A point in the time of dispatch queues: the time since the system started.
  ///
  /// ```swift
  /// let now = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000))
  /// let later = now.advanced(by: .nanoseconds(500))
  /// print(later.dispatchTime.uptimeNanoseconds, later.distance(to: now).magnitude)
  /// // Prints "1500 -500"
  /// ```
  ///
  /// `DispatchTime.distantFuture` is *never*. No operation traps: a result after the times that Dispatch supports
  /// becomes *never*, and one before them becomes one nanosecond.
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The dispatch time.
    public var dispatchTime: DispatchTime

    /// Creates a point in time from a dispatch time.
    @inlinable
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// Whether the time is Dispatch's *never*.
    @inlinable
    internal var isNever: Bool { dispatchTime == .distantFuture }

    /// Returns the time interval to another point in time, which is negative if that is earlier.
    ///
    /// To *never* it is `Int.max` nanoseconds, from *never* to any other time it is `-Int.max`. Longer distances become
    /// one of these two.
    @inlinable
    public func distance(to other: SchedulerTimeType) -> Stride {
      switch (isNever, other.isNever) {
      case (true, true): return .nanoseconds(0)
      case (true, false): return .nanoseconds(-Int.max)
      case (false, true): return .nanoseconds(.max)
      case (false, false): break
      }
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return from <= to
        ? .nanoseconds(Int(clamping: to - from))
        : .nanoseconds(-Int(clamping: from - to))
    }

    /// Returns the point in time that is a given time interval away.
    ///
    /// `Int.max` nanoseconds lead to *never*, and so does any time that Dispatch cannot count; *never* stays *never*. A
    /// time that would be too early becomes one nanosecond.
    @inlinable
    public func advanced(by n: Stride) -> SchedulerTimeType {
      if isNever || n.magnitude == .max { return SchedulerTimeType(.distantFuture) }
      let start = dispatchTime.uptimeNanoseconds
      if n.magnitude < 0 {
        let (time, underflow) = start.subtractingReportingOverflow(UInt64(n.magnitude.magnitude))
        return SchedulerTimeType(DispatchTime(uptimeNanoseconds: underflow ? 1 : max(time, 1)))
      }
      // A raw value beyond `Int64.max` would be a time on another of Dispatch's clocks.
      let (time, overflow) = start.addingReportingOverflow(UInt64(n.magnitude.magnitude))
      if overflow || time > UInt64(Int64.max) { return SchedulerTimeType(.distantFuture) }
      return SchedulerTimeType(DispatchTime(uptimeNanoseconds: max(time, 1)))
    }

    /// Returns whether two points in time are the same.
    @inlinable
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    /// Returns whether one point in time is before another; none is after *never*.
    @inlinable
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Hashes the raw value of the time.
    @inlinable
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }

    /// Decodes a number of nanoseconds.
    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      dispatchTime = nanoseconds == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds)
    }

    /// Encodes the number of nanoseconds since the system started.
    ///
    /// *Never* is `UInt64.max`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(isNever ? .max : dispatchTime.uptimeNanoseconds)
    }
  }
}
