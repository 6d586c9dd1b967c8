// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `store(in:)` changes the collection, which takes an ampersand.

import Penstock

final class Screen {
  var cancellables: Set<AnyCancellable> = []

  #if !FIXED
    func show(_ names: PassthroughSubject<String, Never>) {
      names.sink { print($0) }.store(in: cancellables)
    }
  #else
    func show(_ names: PassthroughSubject<String, Never>) {
      names.sink { print($0) }.store(in: &cancellables)
    }
  #endif
}
