// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The library with which this target compiles the shared workloads beside this folder.
@_exported import OpenCombine
@_exported import OpenCombineDispatch

// OpenCombine's nearest equivalents of Penstock's operators that Combine does not have. Each does less.

extension Publisher {
  /// Shares, without a replay.
  func sharedAndRepeated() -> Publishers.Share<Self> { share() }

  /// Receives all values with unlimited demand.
  func sinkOneByOne(_ receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Reads a subject's value, without a scheduler and without a subscription to the subject.
  func passingWhileFalse(_ condition: CurrentValueSubject<Bool, Never>) -> Publishers.Filter<Self> {
    filter { _ in !condition.value }
  }
}
