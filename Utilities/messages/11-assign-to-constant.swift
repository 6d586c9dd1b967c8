// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The property of an `assign(to:on:)` cannot be set.

import Penstock

#if !FIXED
  func bind(_ names: PassthroughSubject<String, Never>, to label: Label) -> AnyCancellable {
    names.assign(to: \.name, on: label)
  }
#else
  func bind(_ names: PassthroughSubject<String?, Never>, to label: Label) -> AnyCancellable {
    names.assign(to: \.text, on: label)
  }
#endif
