// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Two publishers are combined, and the result is returned where `AnyPublisher` is declared.

import Penstock

#if !FIXED
  func both(_ a: PassthroughSubject<Int, Never>, _ b: PassthroughSubject<Int, Never>) -> AnyPublisher<(Int, Int), Never>
  {
    a.combineLatest(b)
  }
#else
  func both(_ a: PassthroughSubject<Int, Never>, _ b: PassthroughSubject<Int, Never>) -> AnyPublisher<(Int, Int), Never>
  {
    a.combineLatest(b).eraseToAnyPublisher()
  }
#endif
