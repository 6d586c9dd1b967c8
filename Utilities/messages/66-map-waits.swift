// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of `map` waits.

import Penstock

func length(of name: String) async -> Int { name.count }

#if !FIXED
  func lengths(_ names: PassthroughSubject<String, Never>) -> AnyCancellable {
    names.map { await length(of: $0) }.sink { print($0) }
  }
#else
  func lengths(_ names: PassthroughSubject<String, Never>) async {
    for await name in names.values { print(await length(of: name)) }
  }
#endif
