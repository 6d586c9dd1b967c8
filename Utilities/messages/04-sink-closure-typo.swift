// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a `sink` calls something that does not exist.

import Penstock

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.sink { print($0.lowercase()) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.sink { print($0.lowercased()) }
  }
#endif
