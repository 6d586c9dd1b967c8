// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `sink` with one closure on a publisher that can fail.

import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink { print($0.count) }
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink { completion in
      if case .failure(let error) = completion { print(error) }
    } receiveValue: {
      print($0.count)
    }
  }
#endif
