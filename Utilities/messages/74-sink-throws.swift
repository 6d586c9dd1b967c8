// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a sink throws.

import Penstock

func checked(_ name: String) throws -> String { name }

#if !FIXED
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.sink { print(try checked($0)) }
  }
#else
  func show(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.sink { print((try? checked($0)) ?? "-") }
  }
#endif
