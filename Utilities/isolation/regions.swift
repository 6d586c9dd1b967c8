// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Publishers that are not Sendable, which a client in Swift 6 mode sends to another task or actor while it keeps them.
// See `check`. (A separate file: the compiler looks for these errors only if it finds none of the others.)

import Penstock

func listen(to publisher: AnyPublisher<Int, Never>) {
  Task.detached {  // An error.
    _ = publisher.sink { _ in }
  }
}

func twice(_ subject: PassthroughSubject<Int, Never>) {
  let chain = subject.map { $0 + 1 }
  Task.detached { _ = chain.sink { _ in } }  // An error.
  _ = chain.sink { _ in }
}

actor Store {
  private let subject = PassthroughSubject<Int, Never>()
  private let changes: AnyPublisher<Int, Never>

  init() { changes = subject.eraseToAnyPublisher() }

  func show() async {
    await present(changes)  // An error.
  }
}

@MainActor func present(_ publisher: AnyPublisher<Int, Never>) {}
