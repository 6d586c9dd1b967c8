// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The error of a `timeout` is made by a closure.

import Foundation
import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "")
      .timeout(.seconds(5), scheduler: DispatchQueue.main, customError: NetworkError())
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "")
      .timeout(.seconds(5), scheduler: DispatchQueue.main, customError: { NetworkError() })
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  }
#endif
