// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch

extension DispatchQueue {
  /// A point in time, as queues count it: the time that the system has been up.
  ///
  /// ```swift
  /// let now = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000))
  /// let later = now.advanced(by: .nanoseconds(500))
  /// print(later.dispatchTime.uptimeNanoseconds, later.distance(to: now).magnitude)
  /// // Prints "1500 -500"
  /// ```
  ///
  /// `DispatchTime.distantFuture` is *never*. Nothing here traps: what lies beyond the times that Dispatch knows becomes
  /// *never*, what lies before them one nanosecond.
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time, as Dispatch has it.
    public var dispatchTime: DispatchTime

    /// Makes a point in time from one of Dispatch's.
    @inlinable
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// Whether the time is Dispatch's *never*.
    @inlinable
    internal var isNever: Bool { dispatchTime == .distantFuture }

    /// Measures the time to another point, which is negative if that is the earlier one.
    ///
    /// To *never* it is `Int.max` nanoseconds, from *never* to any other time it is `-Int.max`. Distances beyond those
    /// two become one of them.
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

    /// Finds the point in time that is a given time away.
    ///
    /// `Int.max` nanoseconds lead to *never*, and so does anything that Dispatch cannot count; nothing leads away from
    /// *never*. What would be too early becomes one nanosecond.
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

    /// Whether two times are the same.
    @inlinable
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    /// Whether one time is before another; nothing is after *never*.
    @inlinable
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Hashes the raw value of the time.
    @inlinable
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }

    /// Reads a number of nanoseconds.
    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      dispatchTime = nanoseconds == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds)
    }

    /// Writes the number of nanoseconds that the system will have been up.
    ///
    /// *Never* is `UInt64.max`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(isNever ? .max : dispatchTime.uptimeNanoseconds)
    }
  }
}
