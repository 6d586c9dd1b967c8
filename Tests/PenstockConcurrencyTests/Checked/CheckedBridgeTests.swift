// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

private final class Shelf {
  var last = 0
}

/// The module's additions to publishers exist for checked pipelines as well, and do the same.
@Suite struct CheckedBridgeTests {
  private let fallible = [1, 2, 3].publisher.setFailureType(to: TestError.self).sendable.map { $0 * 10 }
  private let infallible = [1, 2, 3].publisher.sendable.map { $0 * 10 }

  @Test func `Sinks on an actor receive values and completions there`() async {
    let (onMain, onActor, isolated) = (Received(), Received(), Received())
    let ledger = Ledger()
    let cancellables = [
      fallible.sink(on: .shared) { completion in
        MainActor.assertIsolated()
        onMain.end(completion)
      } receiveValue: { value in
        MainActor.assertIsolated()
        onMain.add(value)
      },
      fallible.sink(on: ledger, limit: 1) { ledger, completion in
        ledger.assertIsolated()
        onActor.end(completion)
      } receiveValue: { ledger, value in
        ledger.assertIsolated()
        onActor.add(value)
      },
      await sinkInVault(isolated).value,
    ]
    for received in [onMain, onActor, isolated] {
      #expect(await reached { received.completion != nil })
      #expect(received.values == [10, 20, 30])
      #expect(received.completion == .finished)
    }
    cancellables.forEach { $0.cancel() }
  }

  @Vault private func sinkInVault(_ received: Received) -> UncheckedBox<AnyCancellable> {
    var count = 0
    return UncheckedBox(
      fallible.sink(isolation: #isolation) { completion in
        Vault.shared.assertIsolated()
        received.end(completion)
      } receiveValue: { value in
        count += 1
        #expect(count * 10 == value)
        received.add(value)
      })
  }

  @Test func `Sinks for values alone, where nothing can fail`() async {
    let (onMain, onActor, isolated) = (Received(), Received(), Received())
    let cancellables = [
      infallible.sink(on: .shared) { onMain.add($0) },
      infallible.sink(on: Ledger()) { ledger, value in
        ledger.assertIsolated()
        onActor.add(value)
      },
      await valuesInVault(isolated).value,
    ]
    for received in [onMain, onActor, isolated] {
      #expect(await reached { received.values == [10, 20, 30] })
    }
    cancellables.forEach { $0.cancel() }
  }

  @Vault private func valuesInVault(_ received: Received) -> UncheckedBox<AnyCancellable> {
    UncheckedBox(infallible.sink(isolation: #isolation) { received.add($0) })
  }

  @Vault @Test func `Values are assigned to what belongs to the actor`() async {
    let shelf = Shelf()
    let cancellable = infallible.assign(to: \.last, on: shelf, isolation: #isolation)
    while shelf.last != 30 { await Task.yield() }
    cancellable.cancel()
  }

  @Test func `Events are handled on an actor, and what follows is delivered on one`() async {
    let (events, values) = (Received(), Received())
    let probe = Probe<Int, TestError>()
    fallible
      .handleEvents(on: Ledger(), receiveOutput: { _, value in events.add(value) })
      .receive(on: Ledger())
      .handleEvents(receiveOutput: { values.add($0) })
      .publisher.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(values.values == [10, 20, 30])
    #expect(await reached { events.values == [10, 20, 30] })
  }

  // Each pipeline is in a separate function, and erased: the optimiser of Swift 6.3.1 gives up on functions into which
  // much is inlined ("too many/large bit fields allocated in function").

  @Test func `Closures that wait transform values in order`() async {
    let plain = Probe<Int, TestError>()
    fallible.mapAsync(maxTasks: .max(2)) { $0 + 1 }.eraseToAnySendablePublisher().publisher.subscribe(plain.recorder)
    #expect(await plain.completion() == .finished)
    #expect(plain.recorder.values == [11, 21, 31])
  }

  @Test func `Closures that wait may throw an error of one type`() async {
    let typed = Probe<Int, TestError>()
    infallible.mapAsync { (value: Int) async throws(TestError) -> Int in
      if value == 20 { throw .oops }
      return value
    }.eraseToAnySendablePublisher().publisher.subscribe(typed.recorder)
    #expect(await typed.completion() == .failure(.oops))
    #expect(typed.recorder.values == [10])
  }

  @Test func `Closures that wait may throw any error`() async {
    let untyped = Probe<Int, any Error>()
    fallible.tryMapAsync { value in
      if value == 20 { throw TestError.oops }
      return value
    }.eraseToAnySendablePublisher().publisher.subscribe(untyped.recorder)
    guard case .failure(let error)? = await untyped.completion() else {
      Issue.record("the error is not forwarded")
      return
    }
    #expect(error as? TestError == .oops)
  }

  @Test func `Closures that wait transform the values of a key in order`() async {
    let plain = Probe<Int, TestError>()
    fallible.mapAsync(maxTasks: .max(3), by: { _ in 0 }) { $0 + 1 }.eraseToAnySendablePublisher().publisher
      .subscribe(plain.recorder)
    #expect(await plain.completion() == .finished)
    #expect(plain.recorder.values == [11, 21, 31])
  }

  @Test func `Closures that wait, by key, may throw an error of one type`() async {
    let typed = Probe<Int, TestError>()
    infallible.mapAsync(maxTasks: .max(3), by: { _ in 0 }) { (value: Int) async throws(TestError) -> Int in
      if value == 20 { throw .oops }
      return value
    }.eraseToAnySendablePublisher().publisher.subscribe(typed.recorder)
    #expect(await typed.completion() == .failure(.oops))
    #expect(typed.recorder.values == [10])
  }

  @Test func `Closures that wait, by key, may throw any error`() async {
    let untyped = Probe<Int, any Error>()
    fallible.tryMapAsync(maxTasks: .max(3), by: { _ in 0 }) { value in
      if value == 20 { throw TestError.oops }
      return value
    }.eraseToAnySendablePublisher().publisher.subscribe(untyped.recorder)
    guard case .failure(let error)? = await untyped.completion() else {
      Issue.record("the error is not forwarded")
      return
    }
    #expect(error as? TestError == .oops)
  }

  @Test func `Closures that wait make publishers, which are flattened`() async {
    let all = Probe<Int, TestError>()
    fallible.flatMap(maxPublishers: .max(1)) { (value: Int) async throws(TestError) in
      [value, value + 1].publisher.setFailureType(to: TestError.self).sendable
    }.eraseToAnySendablePublisher().publisher.subscribe(all.recorder)
    #expect(await all.completion() == .finished)
    #expect(all.recorder.values == [10, 11, 20, 21, 30, 31])
  }

  @Test func `Closures that make publishers may throw, where upstream cannot fail`() async {
    let failing = Probe<Int, TestError>()
    infallible.flatMap { (value: Int) async throws(TestError) in
      guard value > 10 else { throw .oops }
      return Just(value).setFailureType(to: TestError.self).sendable
    }.eraseToAnySendablePublisher().publisher.subscribe(failing.recorder)
    #expect(await failing.completion() == .failure(.oops))
  }

  @Test func `Publishers may fail where upstream cannot`() async {
    let later = Probe<Int, TestError>()
    infallible.flatMap { (_: Int) async in Fail<Int, TestError>(error: .oops).sendable }
      .eraseToAnySendablePublisher().publisher.subscribe(later.recorder)
    #expect(await later.completion() == .failure(.oops))
  }

  @Test func `Nothing has to fail`() async {
    let never = Probe<Int, Never>()
    infallible.flatMap(maxPublishers: .max(1)) { value async in Just(value).sendable }
      .eraseToAnySendablePublisher().publisher.subscribe(never.recorder)
    #expect(await never.completion() == .finished)
    #expect(never.recorder.values == [10, 20, 30])
  }
}
