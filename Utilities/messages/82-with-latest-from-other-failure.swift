// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A publisher for `withLatestFrom` that has another failure type, with the import that it takes.

import Penstock
import PenstockOperators

func latest(_ taps: PassthroughSubject<Void, Never>, _ name: AnyPublisher<String, any Error>) -> AnyCancellable {
  #if !FIXED
    taps.withLatestFrom(name).sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #else
    taps.setFailureType(to: (any Error).self).withLatestFrom(name)
      .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #endif
}
