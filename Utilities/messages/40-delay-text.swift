// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A text in place of the number of a stride.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.delay(for: .seconds("1"), scheduler: DispatchQueue.main).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.delay(for: .seconds(1), scheduler: DispatchQueue.main).sink { print($0) }
  }
#endif
