// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A scheduler's time has seconds, and no minutes.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.throttle(for: .minutes(5), scheduler: RunLoop.main, latest: true).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.throttle(for: .seconds(5 * 60), scheduler: RunLoop.main, latest: true).sink { print($0) }
  }
#endif
