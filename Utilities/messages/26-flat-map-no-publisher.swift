// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a `flatMap` returns a value and not a publisher.

import Penstock

#if !FIXED
  func lengths(of names: PassthroughSubject<String, Never>) -> AnyPublisher<Int, Never> {
    names.flatMap { $0.count }.eraseToAnyPublisher()
  }
#else
  func lengths(of names: PassthroughSubject<String, Never>) -> AnyPublisher<Int, Never> {
    names.map { $0.count }.eraseToAnyPublisher()
  }
#endif
