// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `collect()` delivers one array, not its elements.

import Penstock

#if !FIXED
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.collect().map { $0 * 2 }.sink { print($0) }
  }
#else
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.collect().map { $0.map { $0 * 2 } }.sink { print($0) }
  }
#endif
