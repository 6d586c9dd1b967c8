// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `milliseconds`, misspelled.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.debounce(for: .miliseconds(300), scheduler: DispatchQueue.main).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main).sink { print($0) }
  }
#endif
