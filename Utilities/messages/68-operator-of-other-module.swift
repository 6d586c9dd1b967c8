// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An operator of `PenstockOperators` without its import.

import Penstock

#if !FIXED
  func steps(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.pairwise().sink { print($0) }
  }
#else
  func steps(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.scan((0, 0)) { ($0.1, $1) }.dropFirst().sink { print($0) }
  }
#endif
