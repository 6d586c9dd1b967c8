// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A closure of `concatMap` whose publisher has another failure type, with the import that it takes.

import Penstock
import PenstockOperators

enum Offline: Error { case now }
enum Missing: Error { case page }

func page(_ number: Int) -> AnyPublisher<String, Missing> {
  Just("").setFailureType(to: Missing.self).eraseToAnyPublisher()
}

func pages(_ numbers: PassthroughSubject<Int, Offline>) -> AnyCancellable {
  #if !FIXED
    numbers.concatMap { page($0) }.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #else
    numbers.concatMap { page($0).mapError { _ in Offline.now } }
      .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #endif
}
