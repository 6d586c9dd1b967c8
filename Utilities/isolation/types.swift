// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Publishers that are not Sendable, in places where a client in Swift 6 mode needs a Sendable value. See `check`.

import Penstock

struct Settings: Sendable {
  let changes: AnyPublisher<Int, Never>  // An error.
}

final class Service: Sendable {
  let events: AnyPublisher<String, Never>  // An error.

  init(_ events: AnyPublisher<String, Never>) { self.events = events }
}

enum Globals {
  static let updates = Just(1).eraseToAnyPublisher()  // An error.
}

actor Store {
  private let subject = PassthroughSubject<Int, Never>()

  lazy var changes: AnyPublisher<Int, Never> = subject.map { $0 + 1 }.eraseToAnyPublisher()
}

func changes(of store: Store) async -> AnyPublisher<Int, Never> {
  await store.changes  // An error.
}

func later(_ subject: PassthroughSubject<Int, Never>) -> @Sendable () -> Void {
  let chain = subject.map { $0 + 1 }
  return { _ = chain.sink { _ in } }  // An error.
}
