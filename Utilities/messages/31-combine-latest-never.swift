// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// One of the publishers of a `combineLatest` can fail, and the other cannot.

import Penstock

#if !FIXED
  func both(_ model: Model) -> AnyCancellable {
    model.$name.combineLatest(Shop.articles(matching: ""))
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, $1) })
  }
#else
  func both(_ model: Model) -> AnyCancellable {
    model.$name.setFailureType(to: NetworkError.self).combineLatest(Shop.articles(matching: ""))
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, $1) })
  }
#endif
