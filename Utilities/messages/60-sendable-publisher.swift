// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A publisher that is not Sendable goes to another task, in Swift 6 mode.

import Penstock

#if !FIXED
  func watch(_ names: AnyPublisher<String, Never>) {
    Task {
      for await name in names.values { print(name) }
    }
    print(names)
  }
#else
  func watch(_ names: PassthroughSubject<String, Never>) {
    Task {
      for await name in names.values { print(name) }
    }
    print(names)
  }
#endif
