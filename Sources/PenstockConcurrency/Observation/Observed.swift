// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// A publisher of what a closure reads from observable objects, again after each change.
  ///
  /// It connects the `@Observable` macro to Combine's operators: the closure is run, the properties that it reads are
  /// observed, and when any of them changes the closure is run again.
  ///
  /// ```swift
  /// import Observation
  ///
  /// // What `@Observable` makes of `var level = 0`.
  /// @MainActor final class Gauge: Observable {
  ///   private let registrar = ObservationRegistrar()
  ///   private var stored = 0
  ///   var level: Int {
  ///     get {
  ///       registrar.access(self, keyPath: \.level)
  ///       return stored
  ///     }
  ///     set { registrar.withMutation(of: self, keyPath: \.level) { stored = newValue } }
  ///   }
  /// }
  ///
  /// @MainActor func watch() async {
  ///   let gauge = Gauge()
  ///   var levels: [Int] = []
  ///   let cancellable = Publishers.Observed(isolation: #isolation) { gauge.level }
  ///     .sink { levels.append($0) }
  ///   while levels.isEmpty { await Task.yield() }
  ///   gauge.level = 1
  ///   gauge.level = 2
  ///   while levels.count < 2 { await Task.yield() }
  ///   print(levels)
  ///   cancellable.cancel()
  /// }
  /// await watch()
  /// // Prints "[0, 2]".
  /// ```
  ///
  /// **Demand:** only the latest value: changes that are made while nothing is requested are read once, at the next
  /// request.
  ///
  /// **Completion:** never. The subscription retains what the closure captures until it is cancelled.
  ///
  /// **Failure:** none.
  ///
  /// **Concurrency:** the closure runs, and the values are delivered, on the actor on which the publisher was created.
  /// Each value, including the first, is delivered in a job of its own, because observation reports a change before it
  /// is made. Changes between two jobs count as one: the closure reads their result. If every single assignment counts,
  /// use `@Published`.
  ///
  /// The closure runs twice for each value. Properties are observed only when the closure has returned, so changes that
  /// another thread makes until then, or objects that it frees, are not reported; the second run, whose result is
  /// delivered, reads them. Nevertheless, change the objects on that actor: a change that another thread has announced
  /// but not made yet may be read too early, and missed. Freeing an object is no change either: a closure that captures
  /// it weakly runs again when something else changes. After a cancel on that actor, even in the closure itself, the
  /// closure is not run and no value is delivered.
  ///
  /// Use ``ObservedObject`` for the opposite direction.
  public struct Observed<Output>: Publisher {
    public typealias Failure = Never

    private let observation: IsolatedRead<Output>

    /// Creates a publisher of what a closure reads.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the call is made on: `#isolation`.
    ///   - read: A closure that reads from observable objects, on that actor.
    public init(isolation: isolated any Actor, _ read: @escaping () -> Output) {
      observation = IsolatedRead(actor: isolation, read: read)
    }

    /// Attaches a subscriber, which observes independently of others.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      ObservedSource(observation).introduce(subscriber.erased(), name: "Observed")
    }
  }
}
