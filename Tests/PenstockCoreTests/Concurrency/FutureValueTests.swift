// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct FutureValueTests {
  /// The scheduler that tasks run on: when a move of its time has returned, they wait for the future or have its
  /// result.
  private let time = VirtualTimeScheduler()

  @Test func `A result that is there is given at once`() async throws {
    #expect(await Future<Int, Never> { $0(.success(1)) }.value == 1)
    #expect(try await Future<Int, TestError> { $0(.success(2)) }.value == 2)
    await #expect(throws: TestError.oops) { try await Future<Int, TestError> { $0(.failure(.oops)) }.value }
  }

  @Test(arguments: [Result<Int, TestError>.success(3), .failure(.oops)])
  func `A task waits for the promise`(_ result: Result<Int, TestError>) async {
    let pledge = Pledge<Int, TestError>()
    let future = pledge.future!
    let task = Task(executorPreference: time.executor) { try await future.value }
    await time.advance()
    #expect(future.waitingCount == 1)
    onThreads(1) { _ in pledge.resolve(result) }
    await time.advance()
    switch result {
    case .success(let value): #expect(await (try? task.value) == value)
    case .failure(let error): await #expect(throws: error) { try await task.value }
    }
  }

  @Test func `Many tasks get the same result`() async {
    let pledge = Pledge<Int, Never>()
    let future = pledge.future!
    let tasks = (0..<5).map { _ in Task(executorPreference: time.executor) { await future.value } }
    await time.advance()
    #expect(future.waitingCount == 5)
    pledge.resolve(.success(4))
    await time.advance()
    for task in tasks { #expect(await task.value == 4) }
  }

  @Test func `A task that is cancelled waits for the promise all the same`() async {
    let pledge = Pledge<Int, Never>()
    let future = pledge.future!
    let task = Task(executorPreference: time.executor) { await future.value }
    await time.advance()
    #expect(future.waitingCount == 1)
    task.cancel()
    pledge.resolve(.success(5))
    await time.advance()
    #expect(await task.value == 5)
  }

  @Test func `An optional result may be nil`() async {
    #expect(await Future<Int?, Never> { $0(.success(nil)) }.value == nil)
  }

  @Test @MainActor func `A value that is not Sendable may be waited for on an actor`() async {
    final class Plain {
      let number = 6
    }
    #expect(await Future<Plain, Never> { $0(.success(Plain())) }.value.number == 6)
  }

  @Test func `Nothing is left in memory`() async {
    var graveyard = Graveyard()
    do {
      let future = graveyard.watch(Future<Canary, Never> { $0(.success(Canary())) }, "future")
      _ = graveyard.watch(await future.value, "value")
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
