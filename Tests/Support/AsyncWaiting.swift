// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// Waits, on a thread that tasks do not need, for the result of an asynchronous closure.
public func waiting<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) -> Value {
  let (result, done) = (Locked<Result<Value, any Error>?>(nil), Gate())
  Task {
    do {
      let value = try await operation()
      result.change { $0 = .success(value) }
    } catch {
      result.change { $0 = .failure(error) }
    }
    done.open()
  }
  done.wait()
  switch result.value! {
  case .success(let value): return value
  case .failure(let error): fatalError("It has failed: \(error)")
  }
}
