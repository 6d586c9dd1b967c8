// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone, as in FailureMessages.swift.

// A member of the protocol needs the type of some scheduler; any scheduler will do.
extension Scheduler where Self == ImmediateScheduler {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "write the type as well: DispatchQueue.main, RunLoop.main or OperationQueue.main")
  public static var main: Self { onlyForItsMessage() }
}

// Where no interval of a queue fits, the compiler looks for a scheduler among the queue's superclasses, and reports on
// that.
extension SchedulerTimeIntervalConvertible {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "seconds(_:) takes an Int or a Double")
  public static func seconds<T>(_ s: T) -> Self { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "milliseconds(_:) takes an Int: for a fraction, use seconds(_:) with a Double")
  public static func milliseconds<T>(_ ms: T) -> Self { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, renamed: "milliseconds(_:)")
  public static func miliseconds<T>(_ ms: T) -> Self { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "there are no minutes: for five of them, write .seconds(5 * 60)")
  public static func minutes<T>(_ m: T) -> Self { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "there are no hours: for two of them, write .seconds(2 * 3600)")
  public static func hours<T>(_ h: T) -> Self { onlyForItsMessage() }
}
