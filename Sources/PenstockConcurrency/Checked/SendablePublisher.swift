// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that tasks and actors can share, with operators that the compiler checks for data races.
///
/// It has every operator of Combine and of ``/PenstockOperators`` under the same name and with the same behaviour. Only
/// the signatures are stricter: closures are `@Sendable`, and the values and everything else that a pipeline keeps are
/// `Sendable`. So a pipeline is `Sendable` as well: it can be a constant of a Sendable class or of an actor, be
/// returned from either, and be shared by tasks.
///
/// ```swift
/// final class Thermometer: Sendable {
///   private let celsius = CurrentValueSubject<Double, Never>(20)
///   let fahrenheit: AnySendablePublisher<Double, Never>
///
///   init() {
///     fahrenheit = celsius.sendable.map { $0 * 1.8 + 32 }.removeDuplicates().eraseToAnySendablePublisher()
///   }
///
///   func measure(_ degrees: Double) { celsius.send(degrees) }
/// }
///
/// let thermometer = Thermometer()
/// let cancellable = thermometer.fahrenheit.sink { print($0) }
/// thermometer.measure(25)
/// // Prints "68.0", "77.0" on two lines.
/// ```
///
/// A pipeline begins with the property `sendable` of a subject, of ``/PenstockCore/Just``, or of any other publisher
/// that is Sendable; with ``init(deferred:)``; or with ``init(unchecked:)``, for which you vouch for what the compiler
/// can't see. It ends with a subscriber, with its `values`, or with ``publisher``, which leads back to Combine's own
/// operators.
///
/// The type deliberately does not conform to ``/PenstockCore/Publisher``: if it did, the compiler would silently take
/// an unchecked operator wherever a checked one doesn't accept the closure.
///
/// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for the publisher in it. Nothing is added: no
/// lock, no allocation, and no additional call for a value.
@frozen
public struct SendablePublisher<Base: Publisher>: Sendable where Base.Output: Sendable {
  /// The kind of values that this publisher publishes.
  public typealias Output = Base.Output

  /// The kind of failure that this publisher may end with.
  public typealias Failure = Base.Failure

  // Everything in it is Sendable: either the initializers and the operators accept nothing else, or the caller has
  // vouched for it.
  @usableFromInline internal nonisolated(unsafe) let base: Base

  /// Begins a checked pipeline with a publisher that the compiler can't prove to be Sendable.
  ///
  /// ```swift
  /// let numbers = SendablePublisher(unchecked: [1, 2].publisher.map { $0 * 10 })
  /// let cancellable = numbers.sink { print($0) }
  /// // Prints "10", "20" on two lines.
  /// ```
  ///
  /// You promise that any thread may subscribe to it, several at a time, and that its values may arrive on any thread:
  /// the closures in it capture nothing that changes, and nothing that belongs to an actor. No runtime check finds a
  /// broken promise.
  ///
  /// Use the property `sendable` of a publisher that is Sendable, and ``init(deferred:)`` in place of
  /// ``/PenstockCore/Deferred``.
  ///
  /// - Parameter base: A publisher that is safe to share.
  @inlinable
  public init(unchecked base: Base) {
    self.base = base
  }

  /// Begins a checked pipeline with a publisher that is Sendable, as its property `sendable` does.
  ///
  /// - Parameter base: A publisher that is Sendable, with values that are Sendable.
  @inlinable
  public init(_ base: Base) where Base: Sendable {
    self.base = base
  }
}

extension Publisher where Self: Sendable, Output: Sendable {
  /// This publisher with operators that the compiler checks for data races.
  ///
  /// ```swift
  /// let numbers = [1, 2, 3].publisher.sendable.filter { $0 != 2 }
  /// let sum = Task { await numbers.values.reduce(0, +) }
  /// print(await sum.value)
  /// // Prints "4".
  /// ```
  ///
  /// Subjects have this property if their values are Sendable, and so do ``/PenstockCore/Just``,
  /// ``/PenstockCore/Future``, ``/PenstockCore/Empty``, ``/PenstockCore/Fail``, ``/PenstockCore/Record``, the
  /// publishers of sequences, optional values, results and published properties, and the operators without closures.
  /// See ``SendablePublisher``.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for this publisher.
  @inlinable
  public var sendable: SendablePublisher<Self> { SendablePublisher(self) }
}

extension SendablePublisher {
  /// This publisher with Combine's own operators, which are not checked.
  ///
  /// Use it for code that expects a ``/PenstockCore/Publisher``, and for closures that are isolated to an actor. From
  /// here on, nothing checks which threads use what the closures capture.
  ///
  /// ```swift
  /// var sum = 0
  /// let cancellable = [1, 2, 3].publisher.sendable.map { $0 * 2 }.publisher.sink { sum += $0 }
  /// print(sum)
  /// // Prints "12".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for this publisher.
  @inlinable
  public var publisher: Plain { Plain(base: base) }

  /// A ``SendablePublisher`` as a publisher of Combine's kind, which is Sendable; see ``SendablePublisher/publisher``.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for the publisher in it.
  @frozen
  public struct Plain: Publisher, _DerivedTypes, Sendable {
    public typealias _Origin = Base

    @usableFromInline internal nonisolated(unsafe) let base: Base

    @inlinable
    internal init(base: Base) {
      self.base = base
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      base.receive(subscriber: subscriber)
    }
  }
}
