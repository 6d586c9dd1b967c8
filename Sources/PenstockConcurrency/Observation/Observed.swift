// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// A publisher of what a closure reads from observable objects, anew after each change.
  ///
  /// It leads from the `@Observable` macro to Combine's operators: the closure is run, what it reads is observed, and
  /// when any of it changes the closure is run again.
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
  /// **Demand:** the latest value at a time: what changes while nothing is requested is read once, when it is.
  ///
  /// **Completion:** never. The subscription retains what the closure captures until it is cancelled.
  ///
  /// **Failure:** none.
  ///
  /// **Concurrency:** the closure runs on the actor on which the publisher was created, and so are the values delivered.
  /// Each comes in a job of its own, the first one too, because observation tells of a change before it is made. Changes
  /// between two jobs are one: the closure reads what they have led to. Where every single assignment counts, use
  /// `@Published`.
  ///
  /// The closure runs twice for each value. What it reads is observed only when it has returned, so what another thread
  /// changes or frees until then is not reported; the second run, whose result is delivered, reads it. Nevertheless change
  /// the objects on that actor: a change that another thread has announced, and not made yet, may be read too early, and
  /// missed. That an object is freed is no change either: a closure that captures it weakly runs again when something else
  /// changes. After a cancel on that actor, also one in the closure itself, neither is the closure run nor a value delivered.
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

    /// Attaches a subscriber, which observes for itself.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      ObservedSource(observation).introduce(subscriber.erased(), name: "Observed")
    }
  }
}
