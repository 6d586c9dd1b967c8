// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The library with which this target compiles the shared workloads beside this folder.
@_exported import Penstock
@_exported import PenstockOperators

// Operators that Combine does not have; the other library's file defines its nearest equivalents.

extension Publisher {
  /// Shares and repeats the latest value.
  func sharedAndRepeated() -> Publishers.ShareReplay<Self> { shareReplay(capacity: 1) }

  /// Receives values one at a time.
  func sinkOneByOne(_ receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    AnyCancellable(
      pausableSink(
        receiveCompletion: { _ in },
        receiveValue: {
          receiveValue($0)
          return true
        }))
  }

  /// Forwards values as long as a subject's value is false, which it stays.
  func passingWhileFalse(
    _ condition: CurrentValueSubject<Bool, Never>
  ) -> Publishers.ThrottleWhile<Self, CurrentValueSubject<Bool, Never>, ImmediateScheduler> {
    throttle(while: condition, on: ImmediateScheduler.shared)
  }
}
