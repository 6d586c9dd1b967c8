// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Milliseconds are whole numbers.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>, pause: TimeInterval) -> AnyCancellable {
    names.debounce(for: .milliseconds(pause * 1000), scheduler: DispatchQueue.main).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>, pause: TimeInterval) -> AnyCancellable {
    names.debounce(for: .seconds(pause), scheduler: DispatchQueue.main).sink { print($0) }
  }
#endif
