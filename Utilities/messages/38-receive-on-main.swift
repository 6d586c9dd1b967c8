// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The scheduler of `receive(on:)` without its type.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.receive(on: .main).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.receive(on: DispatchQueue.main).sink { print($0) }
  }
#endif
