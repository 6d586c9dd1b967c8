// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// These overloads serve only the compiler's messages. PenstockCore has an overload like these for programs that do not
// import this module, and its message would appear in programs that do import it. The overloads here are preferred to
// that one, as they are not disfavoured; and a method that can be called is preferred to all of them.

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
