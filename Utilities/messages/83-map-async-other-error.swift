// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A closure of `mapAsync` that throws what upstream does not fail with, with the import that it takes.

import Penstock
import PenstockConcurrency

enum Offline: Error { case now }

func length(of name: String) async throws -> Int { name.count }

func lengths(_ names: PassthroughSubject<String, Offline>) -> AnyCancellable {
  #if !FIXED
    names.mapAsync { try await length(of: $0) }.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #else
    names.tryMapAsync { try await length(of: $0) }.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  #endif
}
