// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The promise of a `Future` takes a result.

import Penstock

#if !FIXED
  func answer() -> Future<Int, Never> {
    Future { promise in promise(42) }
  }
#else
  func answer() -> Future<Int, Never> {
    Future { promise in promise(.success(42)) }
  }
#endif
