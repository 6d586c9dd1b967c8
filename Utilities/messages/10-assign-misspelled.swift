// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The key path of an `assign(to:on:)` names no property of the object.

import Penstock

#if !FIXED
  func bind(_ names: PassthroughSubject<String?, Never>, to label: Label) -> AnyCancellable {
    names.assign(to: \.txet, on: label)
  }
#else
  func bind(_ names: PassthroughSubject<String?, Never>, to label: Label) -> AnyCancellable {
    names.assign(to: \.text, on: label)
  }
#endif
