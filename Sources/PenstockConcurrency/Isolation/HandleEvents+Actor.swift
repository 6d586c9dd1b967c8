// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The events that are passed to closures on an actor, in order.
private final class IsolatedEvents<A: Actor, Output: Sendable, Failure: Error>: Sendable {
  enum Event: Sendable {
    case output(Output)
    case completion(Subscribers.Completion<Failure>)
    case cancel
    case request(Subscribers.Demand)
  }

  private let queue = JobQueue<Event>()
  private let actor: A
  private let receive: @Sendable (isolated A, Event) -> Void

  init(_ actor: A, _ receive: @escaping @Sendable (isolated A, Event) -> Void) {
    self.actor = actor
    self.receive = receive
  }

  func tell(_ event: Event) {
    if queue.append(event) { Task.detached { await self.run(on: self.actor) } }
  }

  private func run(on actor: isolated A) async {
    var batch = JobQueue<Event>.Batch()
    while queue.performTurn(&batch, { receive(actor, $0) }) { await Task.yield() }
  }
}

extension Publisher where Output: Sendable {
  /// Performs closures on an actor when events of a subscription occur, without holding up the pipeline.
  ///
  /// The closures receive the actor as a parameter that they are isolated to, so the compiler checks them as code of the
  /// actor.
  ///
  /// ```swift
  /// actor Journal {
  ///   var lines: [String] = []
  ///   func add(_ line: String) { lines.append(line) }
  /// }
  /// let journal = Journal()
  /// let cancellable = [1, 2].publisher
  ///   .handleEvents(on: journal) { journal, value in
  ///     journal.add("value \(value)")
  ///   } receiveCompletion: { journal, _ in
  ///     journal.add("end")
  ///   }
  ///   .sink { _ in }
  /// while await journal.lines.count < 3 { await Task.yield() }
  /// print(await journal.lines)
  /// // Prints "["value 1", "value 2", "end"]".
  /// cancellable.cancel()
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, and the values are delivered as they arrive. Events wait for the actor
  /// without a limit.
  ///
  /// **Completion:** passed on unchanged.
  ///
  /// **Failure:** passed on unchanged.
  ///
  /// **Concurrency:** adds no thread to the pipeline. The closures run on the actor, in the order of the events, and so
  /// usually after downstream has received the value. If downstream must not receive a value first, use
  /// ``receive(on:)-(A)`` and Combine's `handleEvents`.
  ///
  /// - Parameters:
  ///   - actor: The actor that the closures run on.
  ///   - receiveOutput: A closure for each value; `nil` for none.
  ///   - receiveCompletion: A closure for the completion.
  ///   - receiveCancel: A closure for a cancel.
  ///   - receiveRequest: A closure for each request.
  /// - Returns: A publisher of the same values.
  public consuming func handleEvents<A: Actor>(
    on actor: A, receiveOutput: (@Sendable (isolated A, Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (isolated A, Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable (isolated A) -> Void)? = nil,
    receiveRequest: (@Sendable (isolated A, Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    let events = IsolatedEvents<A, Output, Failure>(actor) { actor, event in
      switch event {
      case .output(let value): receiveOutput?(actor, value)
      case .completion(let completion): receiveCompletion?(actor, completion)
      case .cancel: receiveCancel?(actor)
      case .request(let demand): receiveRequest?(actor, demand)
      }
    }
    return handleEvents(
      receiveOutput: receiveOutput.map { _ in { events.tell(.output($0)) } },
      receiveCompletion: receiveCompletion.map { _ in { events.tell(.completion($0)) } },
      receiveCancel: receiveCancel.map { _ in { events.tell(.cancel) } },
      receiveRequest: receiveRequest.map { _ in { events.tell(.request($0)) } })
  }
}
