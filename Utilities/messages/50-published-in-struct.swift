// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A published property belongs to a class.

import Penstock

#if !FIXED
  struct Basket {
    @Published var count = 0
  }

  func fill() {
    var basket = Basket()
    basket.count = 1
  }
#else
  final class Basket {
    @Published var count = 0
  }

  func fill() {
    let basket = Basket()
    basket.count = 1
  }
#endif
