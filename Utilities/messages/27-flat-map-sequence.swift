// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a `flatMap` returns a sequence, as that of a sequence's `flatMap` does.

import Penstock

#if !FIXED
  func words(of lines: PassthroughSubject<String, Never>) -> AnyPublisher<Substring, Never> {
    lines.flatMap { $0.split(separator: " ") }.eraseToAnyPublisher()
  }
#else
  func words(of lines: PassthroughSubject<String, Never>) -> AnyPublisher<Substring, Never> {
    lines.flatMap { $0.split(separator: " ").publisher }.eraseToAnyPublisher()
  }
#endif
