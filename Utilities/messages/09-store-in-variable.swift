// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `store(in:)` takes a collection; one cancellable is assigned.

import Penstock

final class Screen {
  var cancellable: AnyCancellable?

  #if !FIXED
    func show(_ names: PassthroughSubject<String, Never>) {
      names.sink { print($0) }.store(in: &cancellable)
    }
  #else
    func show(_ names: PassthroughSubject<String, Never>) {
      cancellable = names.sink { print($0) }
    }
  #endif
}
