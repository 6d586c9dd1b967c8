// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `collect` by time takes a strategy with a scheduler.

import Foundation
import Penstock

#if !FIXED
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.collect(.seconds(1)).sink { print($0) }
  }
#else
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.collect(.byTime(DispatchQueue.main, .seconds(1))).sink { print($0) }
  }
#endif
