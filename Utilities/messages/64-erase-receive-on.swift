// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What `receive(on:)` makes is returned where `AnyPublisher` is declared.

import Foundation
import Penstock

#if !FIXED
  func articles() -> AnyPublisher<[Article], NetworkError> {
    Shop.articles(matching: "").receive(on: DispatchQueue.main)
  }
#else
  func articles() -> AnyPublisher<[Article], NetworkError> {
    Shop.articles(matching: "").receive(on: DispatchQueue.main).eraseToAnyPublisher()
  }
#endif
