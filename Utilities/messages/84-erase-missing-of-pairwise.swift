// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An operator of `PenstockOperators` without `eraseToAnyPublisher()`, with the import that it takes.

import Penstock
import PenstockOperators

func pairs(_ numbers: PassthroughSubject<Int, Never>) -> AnyPublisher<(Int, Int), Never> {
  #if !FIXED
    numbers.pairwise()
  #else
    numbers.pairwise().eraseToAnyPublisher()
  #endif
}
