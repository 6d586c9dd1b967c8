// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of `map` throws.

import Penstock

func checked(_ name: String) throws -> String { name }

#if !FIXED
  func names(_ names: PassthroughSubject<String, Never>) -> AnyPublisher<String, any Error> {
    names.map { try checked($0) }.eraseToAnyPublisher()
  }
#else
  func names(_ names: PassthroughSubject<String, Never>) -> AnyPublisher<String, any Error> {
    names.tryMap { try checked($0) }.eraseToAnyPublisher()
  }
#endif
