// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An interval in a variable is not a stride of a queue, unlike a literal.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>, pause: TimeInterval) -> AnyCancellable {
    names.debounce(for: pause, scheduler: DispatchQueue.main).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>, pause: TimeInterval) -> AnyCancellable {
    names.debounce(for: .seconds(pause), scheduler: DispatchQueue.main).sink { print($0) }
  }
#endif
