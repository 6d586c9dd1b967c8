// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Receives values and the completion on the main actor.
  ///
  /// The closures may use the state of the main actor: only the rest of the pipeline runs elsewhere.
  ///
  /// ```swift
  /// @MainActor final class Gauge {
  ///   var levels: [Int] = []
  /// }
  ///
  /// let gauge = await Gauge()
  /// let cancellable = [3, 4].publisher.sendable.map { $0 * 2 }.sink(on: .shared) { gauge.levels.append($0) }
  /// while await gauge.levels.count < 2 { await Task.yield() }
  /// print(await gauge.levels)
  /// cancellable.cancel()
  /// // Prints "[6, 8]".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(on:limit:receiveCompletion:receiveValue:)-(MainActor,_,_,_)``.
  @inlinable
  public func sink(
    on actor: MainActor, limit: Int? = nil,
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    publisher.sink(on: actor, limit: limit, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }

  /// Receives values on the main actor.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(on:limit:receiveValue:)-(MainActor,_,_)``.
  @inlinable
  public func sink(
    on actor: MainActor, limit: Int? = nil, receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable where Failure == Never {
    publisher.sink(on: actor, limit: limit, receiveValue: receiveValue)
  }

  /// Receives values and the completion on an actor, which is passed to the closures.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)``.
  @inlinable
  public func sink<A: Actor>(
    on actor: A, limit: Int? = nil,
    receiveCompletion: @escaping @Sendable (isolated A, Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (isolated A, Output) -> Void
  ) -> AnyCancellable {
    publisher.sink(on: actor, limit: limit, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }

  /// Receives values on an actor, which is passed to the closure.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(on:limit:receiveValue:)-(A,_,_)``.
  @inlinable
  public func sink<A: Actor>(
    on actor: A, limit: Int? = nil, receiveValue: @escaping @Sendable (isolated A, Output) -> Void
  ) -> AnyCancellable where Failure == Never {
    publisher.sink(on: actor, limit: limit, receiveValue: receiveValue)
  }

  /// Receives values and the completion on the actor on which this method is called.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(isolation:limit:receiveCompletion:receiveValue:)``.
  @inlinable
  public func sink(
    isolation: isolated any Actor, limit: Int? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    publisher.sink(
      isolation: isolation, limit: limit, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }

  /// Receives values on the actor on which this method is called.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(isolation:limit:receiveValue:)``.
  @inlinable
  public func sink(
    isolation: isolated any Actor, limit: Int? = nil, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable where Failure == Never {
    publisher.sink(isolation: isolation, limit: limit, receiveValue: receiveValue)
  }

  /// Assigns each value to a property of an object that belongs to the actor on which this method is called.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/assign(to:on:isolation:)``.
  @inlinable
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated any Actor
  ) -> AnyCancellable where Failure == Never {
    publisher.assign(to: keyPath, on: object, isolation: isolation)
  }

  /// Performs closures on an actor when events pass, without making the events wait.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/handleEvents(on:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)``.
  @inlinable
  public func handleEvents<A: Actor>(
    on actor: A, receiveOutput: (@Sendable (isolated A, Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (isolated A, Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable (isolated A) -> Void)? = nil,
    receiveRequest: (@Sendable (isolated A, Subscribers.Demand) -> Void)? = nil
  ) -> SendablePublisher<Publishers.HandleEvents<Base>> {
    SendablePublisher<Publishers.HandleEvents<Base>>(
      unchecked: base.handleEvents(
        on: actor, receiveOutput: receiveOutput, receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
        receiveRequest: receiveRequest))
  }

  /// Delivers values and the completion on an actor.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/receive(on:)-(A)``.
  @inlinable
  public func receive<A: Actor>(
    on actor: A
  ) -> SendablePublisher<Publishers.ReceiveOn<Base, TaskScheduler<ContinuousClock>>> {
    SendablePublisher<Publishers.ReceiveOn<Base, TaskScheduler<ContinuousClock>>>(unchecked: base.receive(on: actor))
  }

  /// Delivers values and the completion on an executor of tasks.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/receive(on:)-(TaskExecutor)``.
  @inlinable
  public func receive(
    on executor: any TaskExecutor
  ) -> SendablePublisher<Publishers.ReceiveOn<Base, TaskScheduler<ContinuousClock>>> {
    SendablePublisher<Publishers.ReceiveOn<Base, TaskScheduler<ContinuousClock>>>(unchecked: base.receive(on: executor))
  }
}
