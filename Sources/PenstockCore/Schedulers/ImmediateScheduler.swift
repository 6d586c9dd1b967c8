// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler that runs everything at once, on the caller's thread, before the call returns.
///
/// It knows no time: its clock stands still, and delays are ignored. Use it where an operator wants a scheduler and none
/// is needed, and in tests. Operators that wait for time to pass are of no use on it.
///
/// ```swift
/// let scheduler = ImmediateScheduler.shared
/// scheduler.schedule(after: scheduler.now.advanced(by: .seconds(10))) { print("run") }
/// print("returned")
/// // Prints "run", "returned" on two lines.
/// ```
///
/// **Concurrency:** has no state, and may be used on any thread.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// There is nothing to say about the work.
  public typealias SchedulerOptions = Never

  /// The only instant there is.
  public struct SchedulerTimeType: Strideable, Sendable {
    @inlinable
    internal init() {}

    /// Zero: all instants are the same.
    @inlinable
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The same instant.
    @inlinable
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  /// The one immediate scheduler.
  public static let shared = ImmediateScheduler()

  @inlinable
  internal init() {}

  /// The only instant there is.
  @inlinable
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// Zero.
  @inlinable
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action, before returning.
  @inlinable
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs an action, before returning.
  ///
  /// The date is ignored.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs an action, once, before returning.
  ///
  /// The date and the interval are ignored.
  ///
  /// - Returns: A cancellable that does nothing.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler.SchedulerTimeType {
  /// A length of time that means nothing.
  ///
  /// It counts, as an `Int` does, but no unit of time is more than zero.
  public struct Stride: Sendable {
    /// The number, which may be negative.
    public var magnitude: Int

    /// Makes a stride from a number.
    @inlinable
    public init(_ value: Int) {
      magnitude = value
    }
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Makes a stride from a number.
  @inlinable
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Makes a stride from a number, without what is behind the point.
  @inlinable
  public init(floatLiteral value: Double) {
    self.init(Int(value))
  }

  /// Makes a stride from a number, if it fits into an `Int`.
  @inlinable
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = Int(exactly: source) else { return nil }
    self.init(value)
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Whether one stride is smaller than another.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// Adds two strides.
  ///
  /// An overflow traps.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// Subtracts a stride from another.
  ///
  /// An overflow traps.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

  /// Multiplies two strides.
  ///
  /// An overflow traps.
  @inlinable
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

  /// Adds a stride to this one.
  ///
  /// An overflow traps.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

  /// Subtracts a stride from this one.
  ///
  /// An overflow traps.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

  /// Multiplies this stride by another.
  ///
  /// An overflow traps.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Zero.
  @inlinable
  public static func seconds(_ s: Int) -> Self { 0 }

  /// Zero.
  @inlinable
  public static func seconds(_ s: Double) -> Self { 0 }

  /// Zero.
  @inlinable
  public static func milliseconds(_ ms: Int) -> Self { 0 }

  /// Zero.
  @inlinable
  public static func microseconds(_ us: Int) -> Self { 0 }

  /// Zero.
  @inlinable
  public static func nanoseconds(_ ns: Int) -> Self { 0 }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: Codable {}
