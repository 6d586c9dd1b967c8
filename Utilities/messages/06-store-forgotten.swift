// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The cancellable of a `sink` is thrown away, which ends the subscription at once.

import Penstock

final class Screen {
  let label = Label()
  var cancellables: Set<AnyCancellable> = []

  #if !FIXED
    func show(_ names: PassthroughSubject<String, Never>) {
      names.sink { [label] in label.text = $0 }
    }
  #else
    func show(_ names: PassthroughSubject<String, Never>) {
      names.sink { [label] in label.text = $0 }.store(in: &cancellables)
    }
  #endif
}
