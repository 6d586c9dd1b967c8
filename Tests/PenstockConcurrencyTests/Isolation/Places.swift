// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

@globalActor actor Vault {
  static let shared = Vault()
}

/// An actor that records what its closures receive.
actor Ledger {
  private(set) var values: [Int] = []
  private(set) var completions: [Subscribers.Completion<TestError>] = []

  func add(_ value: Int) { values.append(value) }
  func end(_ completion: Subscribers.Completion<TestError>) { completions.append(completion) }
}

/// What a sink's closures report to a test, whatever they run on.
final class Received: Sendable {
  struct State {
    var values: [Int] = []
    var completion: Subscribers.Completion<TestError>?
    /// The number of closures that ran in the wrong place.
    var strays = 0
  }

  let state = Locked(State())

  var values: [Int] { state.value.values }
  var completion: Subscribers.Completion<TestError>? { state.value.completion }
  var strays: Int { state.value.strays }

  func add(_ value: Int) { state.change { $0.values.append(value) } }
  func end(_ completion: Subscribers.Completion<TestError>) { state.change { $0.completion = completion } }
}

/// A place where closures run, and how a sink is attached there.
enum Place: CaseIterable, Sendable {
  case mainActor, actor, globalActor

  /// Attaches a sink whose closures report to a recorder, and check where they are.
  func attach<P: Publisher<Int, TestError> & Sendable>(
    _ publisher: P, _ received: Received, limit: Int? = nil, onValue: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> AnyCancellable {
    switch self {
    case .mainActor:
      return publisher.sink(on: .shared, limit: limit) { completion in
        MainActor.assertIsolated()
        received.end(completion)
      } receiveValue: { value in
        MainActor.assertIsolated()
        received.add(value)
        onValue(value)
      }
    case .actor:
      let ledger = Ledger()
      return publisher.sink(on: ledger, limit: limit) { ledger, completion in
        ledger.assertIsolated()
        received.end(completion)
      } receiveValue: { ledger, value in
        ledger.assertIsolated()
        received.add(value)
        onValue(value)
      }
    case .globalActor:
      return await attachInVault(publisher, received, limit: limit, onValue: onValue).value
    }
  }

  @Vault private func attachInVault<P: Publisher<Int, TestError> & Sendable>(
    _ publisher: P, _ received: Received, limit: Int?, onValue: @escaping @Sendable (Int) -> Void
  ) -> UncheckedBox<AnyCancellable> {
    // A variable that belongs to the actor: only a closure of the actor may capture it.
    var count = 0
    let cancellable = publisher.sink(isolation: #isolation, limit: limit) { completion in
      Vault.shared.assertIsolated()
      received.end(completion)
    } receiveValue: { value in
      Vault.shared.assertIsolated()
      count += 1
      received.add(value)
      onValue(value)
    }
    return UncheckedBox(cancellable)
  }
}
