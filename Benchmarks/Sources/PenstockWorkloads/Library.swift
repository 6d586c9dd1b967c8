// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the files of the folder beside this one, which both libraries share, are compiled with.
@_exported import Penstock
@_exported import PenstockOperators

// Operators that Combine does not have; the other library's file has the nearest that it has.

extension Publisher {
  /// Shares and repeats the latest value.
  func sharedAndRepeated() -> Publishers.ShareReplay<Self> { shareReplay(capacity: 1) }

  /// Takes values one at a time.
  func sinkOneByOne(_ receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    AnyCancellable(
      pausableSink(
        receiveCompletion: { _ in },
        receiveValue: {
          receiveValue($0)
          return true
        }))
  }

  /// Lets values through for as long as a subject's value is false, which it stays.
  func passingWhileFalse(
    _ condition: CurrentValueSubject<Bool, Never>
  ) -> Publishers.ThrottleWhile<Self, CurrentValueSubject<Bool, Never>, ImmediateScheduler> {
    throttle(while: condition, on: ImmediateScheduler.shared)
  }
}
