// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of `flatMap` throws.

import Penstock

func checked(_ name: String) throws -> String { name }

#if !FIXED
  func show(_ names: PassthroughSubject<String, any Error>) -> AnyPublisher<String, any Error> {
    names.flatMap { Just(try checked($0)).setFailureType(to: (any Error).self) }.eraseToAnyPublisher()
  }
#else
  func show(_ names: PassthroughSubject<String, any Error>) -> AnyPublisher<String, any Error> {
    names.tryMap { try checked($0) }.flatMap { Just($0).setFailureType(to: (any Error).self) }.eraseToAnyPublisher()
  }
#endif
