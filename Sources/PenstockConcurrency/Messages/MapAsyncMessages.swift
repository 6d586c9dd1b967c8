// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// For the compiler's messages alone. PenstockCore has an overload like these for programs that do not import this module,
// which would say so to those that do. These are preferred to it, as they are not disfavoured; and what can be called is
// preferred to all of them.

extension Publisher {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "values that a task gets have to be Sendable: make their type Sendable")
  public func mapAsync<T>(_ transform: @escaping (Output) async throws -> T) -> some Publisher<T, Failure> {
    Empty<T, Failure>()
  }
}

extension Publisher where Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "the closure throws another error than upstream fails with, or its result is not Sendable: see tryMapAsync(_:)"
  )
  public func mapAsync<T>(_ transform: @escaping (Output) async throws -> T) -> some Publisher<T, Failure> {
    Empty<T, Failure>()
  }
}
