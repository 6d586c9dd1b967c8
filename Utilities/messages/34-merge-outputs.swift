// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publishers of a `merge` have different outputs.

import Penstock

#if !FIXED
  func all(_ names: PassthroughSubject<String, Never>, _ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    names.merge(with: numbers).sink { print($0) }
  }
#else
  func all(_ names: PassthroughSubject<String, Never>, _ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    names.merge(with: numbers.map(String.init)).sink { print($0) }
  }
#endif
