// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The property of an `assign(to:on:)` has another type than the values.

import Penstock

#if !FIXED
  func bind(_ names: PassthroughSubject<String, Never>, to label: Label) -> AnyCancellable {
    names.assign(to: \.count, on: label)
  }
#else
  func bind(_ names: PassthroughSubject<String, Never>, to label: Label) -> AnyCancellable {
    names.map(\.count).assign(to: \.count, on: label)
  }
#endif
