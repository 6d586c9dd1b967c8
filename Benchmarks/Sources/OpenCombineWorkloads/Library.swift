// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the files of the folder beside this one, which both libraries share, are compiled with.
@_exported import OpenCombine
@_exported import OpenCombineDispatch

// The nearest to operators of Penstock's that Combine does not have. Each does less.

extension Publisher {
  /// Shares, and repeats nothing.
  func sharedAndRepeated() -> Publishers.Share<Self> { share() }

  /// Takes all values at once.
  func sinkOneByOne(_ receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Looks at a subject's value, with no scheduler and no subscription to the subject.
  func passingWhileFalse(_ condition: CurrentValueSubject<Bool, Never>) -> Publishers.Filter<Self> {
    filter { _ in !condition.value }
  }
}
