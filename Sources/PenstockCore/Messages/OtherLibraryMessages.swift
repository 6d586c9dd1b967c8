// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone, as in FailureMessages.swift: names that mean something else in another library.

extension Publisher {
  // RxSwift's: arrays of the values that arrive within a time. Combine's `buffer` keeps values that nobody has
  // requested.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "to gather values in arrays, use collect(.byTimeOrCount(scheduler, .seconds(1), 10)): buffer(size:prefetch:whenFull:) keeps values until they are requested"
  )
  public func buffer<S: Scheduler>(
    timeSpan: S.SchedulerTimeType.Stride, count: Int, scheduler: S
  ) -> AnyPublisher<[Output], Failure> { onlyForItsMessage() }
}
