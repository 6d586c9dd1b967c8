// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

// For the compiler's messages alone. An interval of another type than the queue's stride makes the compiler look for a
// scheduler among the superclasses of the queue, and it ends with "requires that 'DispatchObject' conform to 'Scheduler'",
// which says nothing of the interval. These take whatever is no stride, and say what is wanted.
extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the interval is a stride: .seconds(0.3), .milliseconds(300) or a plain number")
  public func debounce<Interval>(
    for dueTime: Interval, scheduler: DispatchQueue, options: DispatchQueue.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, DispatchQueue> {
    debounce(for: .zero, scheduler: scheduler)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the interval is a stride: .seconds(0.3), .milliseconds(300) or a plain number")
  public func delay<Interval>(
    for interval: Interval, scheduler: DispatchQueue, options: DispatchQueue.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, DispatchQueue> {
    delay(for: .zero, scheduler: scheduler)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the interval is a stride: .seconds(0.3), .milliseconds(300) or a plain number")
  public func throttle<Interval>(
    for interval: Interval, scheduler: DispatchQueue, latest: Bool
  ) -> Publishers.Throttle<Self, DispatchQueue> {
    throttle(for: .zero, scheduler: scheduler, latest: latest)
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the interval is a stride: .seconds(0.3), .milliseconds(300) or a plain number")
  public func timeout<Interval>(
    _ interval: Interval, scheduler: DispatchQueue, options: DispatchQueue.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, DispatchQueue> {
    timeout(.zero, scheduler: scheduler)
  }
}
