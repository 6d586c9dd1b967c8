// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `assign(to:)` changes the published property, which takes an ampersand.

import Penstock

extension Model {
  #if !FIXED
    func follow(_ names: PassthroughSubject<String, Never>) {
      names.assign(to: $name)
    }
  #else
    func follow(_ names: PassthroughSubject<String, Never>) {
      names.assign(to: &$name)
    }
  #endif
}
