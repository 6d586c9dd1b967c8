// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the chains of Utilities/compile-hunt begin and end with. Each chain gets a `World` and so knows nothing of it. What they
// are in is public: what nobody can call is never optimised.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockOperators

public struct E: Error {}

@inline(never) func note<T>(_ value: T) { withExtendedLifetime(value) {} }
@inline(never) func weight<T>(_ value: T) -> Int { MemoryLayout<T>.size }

public actor Worker {
  func take(_ weight: Int) {}
}

public final class Model: ObservableObject, @unchecked Sendable {
  @Published var int = 0
  @Published var string = ""
  @Published var bool = false
  @Published var ints: [Int] = []
  @Published var optional: Int?
}

public final class Label: @unchecked Sendable {
  var int = 0
  var string = ""
  var bool = false
  var ints: [Int] = []
  var optional: Int?
}

/// A subscriber of a user's own, which requests one value after the other.
final class Own<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private var subscription: (any Subscription)?
  private(set) var count = 0

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(2))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    count += 1
    note(input)
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) { subscription = nil }
}

/// A value of a user's own that is a subscriber.
struct Plain<Input, Failure: Error>: Subscriber {
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Input) -> Subscribers.Demand {
    note(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { note(completion) }
}

/// A publisher of a user's own, which hands a stream on.
struct Passing<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(subscriber)
  }
}

public final class World: @unchecked Sendable {
  let ints = PassthroughSubject<Int, Never>()
  let intsE = PassthroughSubject<Int, E>()
  let intsError = PassthroughSubject<Int, any Error>()
  let strings = PassthroughSubject<String, Never>()
  let stringsE = PassthroughSubject<String, E>()
  let bools = PassthroughSubject<Bool, Never>()
  let current = CurrentValueSubject<Int, Never>(1)
  let currentE = CurrentValueSubject<Int, E>(1)
  let currentString = CurrentValueSubject<String, Never>("a")
  let isOn = CurrentValueSubject<Bool, Never>(true)
  let optionals = CurrentValueSubject<Int?, Never>(nil)
  let lists = PassthroughSubject<[Int], Never>()
  let model = Model()
  let label = Label()
  let worker = Worker()
  let erased: AnyPublisher<Int, Never>
  let erasedE: AnyPublisher<Int, E>
  let future = Future<Int, Never> { $0(.success(1)) }
  let futureE = Future<Int, E> { $0(.success(1)) }
  let relay = PassthroughRelay<Int>()
  let currentRelay = CurrentValueRelay<Int>(1)
  let replay = ReplaySubject<Int, E>(capacity: 2)
  let last = AsyncSubject<Int, Never>()
  let scheduler: AnySchedulerOf<DispatchQueue> = DispatchQueue.main.eraseToAnyScheduler()
  let executor: any TaskExecutor
  var cancellables: Set<AnyCancellable> = []
  var kept: AnyCancellable?

  init(executor: any TaskExecutor) {
    self.executor = executor
    erased = ints.eraseToAnyPublisher()
    erasedE = intsE.eraseToAnyPublisher()
  }
}
