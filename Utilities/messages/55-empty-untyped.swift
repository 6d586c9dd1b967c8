// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Nothing says which values an `Empty` does not deliver.

import Penstock

#if !FIXED
  func finish(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    let nothing = Empty()
    return names.append(nothing).sink { print($0) }
  }
#else
  func finish(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    let nothing = Empty<String, Never>()
    return names.append(nothing).sink { print($0) }
  }
#endif
