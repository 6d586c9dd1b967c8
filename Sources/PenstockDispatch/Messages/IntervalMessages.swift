// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

// These overloads exist only for the compiler's messages. Given an interval that is not the queue's stride, the
// compiler looks for a scheduler among the queue's superclasses, and reports "requires that 'DispatchObject' conform to
// 'Scheduler'", which does not mention the interval. The overloads accept such intervals, and their message says what
// is needed.
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
