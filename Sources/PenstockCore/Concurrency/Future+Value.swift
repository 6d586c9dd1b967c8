// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Future where Failure == Never {
  /// The result of this future; reading it waits until the promise is called.
  ///
  /// ```swift
  /// let level = Future<Int, Never> { promise in promise(.success(7)) }
  /// print(await level.value)
  /// // Prints "7"
  /// ```
  ///
  /// **Demand:** one value.
  ///
  /// **Concurrency:** the task continues after the promise is called, on any thread. Cancelling the task does not end
  /// the wait earlier.
  @inlinable
  public nonisolated(nonsending) var value: Output {
    get async {
      await result(isolation: #isolation).get()
    }
  }
}

extension Future {
  /// The result of this future; reading it waits until the promise is called.
  ///
  /// ```swift
  /// enum LevelError: Error { case unknown }
  /// let level = Future<Int, LevelError> { promise in promise(.failure(.unknown)) }
  /// do {
  ///   print(try await level.value)
  /// } catch {
  ///   print("failed:", error)
  /// }
  /// // Prints "failed: unknown"
  /// ```
  ///
  /// **Demand:** one value.
  ///
  /// **Failure:** thrown.
  ///
  /// **Concurrency:** the task continues after the promise is called, on any thread. Cancelling the task does not end
  /// the wait earlier.
  @inlinable
  public nonisolated(nonsending) var value: Output {
    get async throws {
      try await result(isolation: #isolation).get()
    }
  }
}
