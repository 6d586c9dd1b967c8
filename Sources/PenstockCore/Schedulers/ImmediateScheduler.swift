// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler that runs actions at once, on the caller's thread, before the call returns.
///
/// Its time stands still, and delays are ignored. Use it for an operator that takes a scheduler where none is needed,
/// and in tests. It is of no use for operators that wait for time to pass.
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
  /// An immediate scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only point in time of an immediate scheduler.
  public struct SchedulerTimeType: Strideable, Sendable {
    @_alwaysEmitIntoClient
    internal init() {}

    /// Zero: all points in time are the same.
    @_alwaysEmitIntoClient
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The same point in time.
    @_alwaysEmitIntoClient
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  /// The shared immediate scheduler.
  public static let shared = ImmediateScheduler()

  @_alwaysEmitIntoClient
  internal init() {}

  /// The only point in time of an immediate scheduler.
  @_alwaysEmitIntoClient
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// Zero.
  @_alwaysEmitIntoClient
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action before returning.
  @_alwaysEmitIntoClient
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs an action before returning.
  ///
  /// The date is ignored.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs an action once, before returning.
  ///
  /// The date and the interval are ignored.
  ///
  /// - Returns: A cancellable that has no effect.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler.SchedulerTimeType {
  /// A time interval of an immediate scheduler, which has no effect.
  ///
  /// It is a number, as an `Int` is, but all units of time are zero.
  public struct Stride: Sendable {
    /// The number, which may be negative.
    public var magnitude: Int

    /// Creates a stride from a number.
    @inlinable
    public init(_ value: Int) {
      magnitude = value
    }
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Creates a stride from a number.
  @inlinable
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Creates a stride from a number, without its fractional part.
  @inlinable
  public init(floatLiteral value: Double) {
    self.init(Int(value))
  }

  /// Creates a stride from a number if it fits into an `Int`.
  @inlinable
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = Int(exactly: source) else { return nil }
    self.init(value)
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Returns whether the first stride is smaller than the second.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// Adds two strides.
  ///
  /// An overflow traps.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// Subtracts the second stride from the first.
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
  @_alwaysEmitIntoClient
  public static func seconds(_ s: Int) -> Self { 0 }

  /// Zero.
  @_alwaysEmitIntoClient
  public static func seconds(_ s: Double) -> Self { 0 }

  /// Zero.
  @_alwaysEmitIntoClient
  public static func milliseconds(_ ms: Int) -> Self { 0 }

  /// Zero.
  @_alwaysEmitIntoClient
  public static func microseconds(_ us: Int) -> Self { 0 }

  /// Zero.
  @_alwaysEmitIntoClient
  public static func nanoseconds(_ ns: Int) -> Self { 0 }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: Codable {}
