// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `assign(to:)` of a property that is not published.

import Penstock

#if !FIXED
  extension Label {
    func bind(_ numbers: PassthroughSubject<Int, Never>) { numbers.assign(to: &count) }
  }
#else
  extension Label {
    func bind(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable { numbers.assign(to: \.count, on: self) }
  }
#endif
