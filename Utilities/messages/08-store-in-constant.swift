// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The collection of `store(in:)` is a constant.

import Penstock

final class Screen {
  #if !FIXED
    let cancellables = Set<AnyCancellable>()
  #else
    var cancellables = Set<AnyCancellable>()
  #endif

  func show(_ names: PassthroughSubject<String, Never>) {
    names.sink { print($0) }.store(in: &cancellables)
  }
}
