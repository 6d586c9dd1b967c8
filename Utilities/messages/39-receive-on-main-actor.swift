// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An actor in place of a scheduler.

import Foundation
import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.receive(on: MainActor.shared).sink { print($0) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.receive(on: DispatchQueue.main).sink { print($0) }
  }
#endif
