// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publishers {
  /// A publisher that an operator beyond Combine's has made.
  ///
  /// Its type names the types of the values and of the failure, and no upstream. So a chain of many operators has a
  /// short type for the compiler, and for the reader of its messages.
  ///
  /// ```swift
  /// let steps: Publishers.Lifted<(Int, Int), Never> = [1, 4, 9].publisher.pairwise()
  /// let cancellable = steps.sink { print($0.1 - $0.0) }
  /// // Prints "3", "5" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Failure:** as documented by the operator that has made it.
  ///
  /// **Concurrency:** adds nothing: a value takes no more calls than if the type named the whole chain.
  @frozen
  public struct Lifted<Output, Failure: Error>: Publisher {
    @usableFromInline internal let attach: (Port<Output, Failure>) -> Void

    @_alwaysEmitIntoClient @inline(__always)
    internal init(attach: @escaping (Port<Output, Failure>) -> Void) { self.attach = attach }

    /// Hides the type of a publisher that keeps its subscriber in its subscription.
    @_alwaysEmitIntoClient
    package init<P: PortedPublisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
      attach = { publisher.receive(subscriber: $0) }
    }

    /// Hides the type of a publisher of any kind, at the price of an object between it and its subscriber.
    @_alwaysEmitIntoClient
    package init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
      attach = { publisher.receive(subscriber: AnySubscriber<Output, Failure>(erasure: PortedSubscriber($0))) }
    }

    /// Makes a new publisher for each subscriber.
    @_alwaysEmitIntoClient
    package init(deferring makePublisher: @escaping () -> Lifted) {
      attach = { makePublisher().attach($0) }
    }

    /// Attaches a subscriber to the publisher that the operator has made of its upstream.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      // A port comes from another publisher of this kind.
      if let port = subscriber.port { return attach(port) }
      withUnsafePointer(to: subscriber) { attach(Port($0)) }
    }
  }
}

extension Publishers.Lifted: PortedPublisher {}

extension Publishers.Lifted: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  /// The text "Lifted".
  public var description: String { "Lifted" }

  /// The description, which a playground shows.
  public var playgroundDescription: Any { description }
}
