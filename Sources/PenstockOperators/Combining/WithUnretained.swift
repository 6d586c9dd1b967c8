// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value together with an object that it does not keep alive, and finishes when the object is gone.
  ///
  /// ![Each value is published with the object. When the object is gone, the output finishes.](with-unretained)
  ///
  /// Neither the publisher nor its subscriptions keep the object alive. A pair does, until it has been delivered.
  ///
  /// ```swift
  /// final class Screen {
  ///   func show(_ text: String) { print(text) }
  /// }
  /// let texts = PassthroughSubject<String, Never>()
  /// var screen: Screen? = Screen()
  /// let cancellable = texts.withUnretained(screen!).sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { screen, text in screen.show(text) })
  /// texts.send("sluice")
  /// screen = nil
  /// texts.send("gate")
  /// // Prints "sluice", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value after the end of the object is dropped; it cancels upstream and
  /// finishes the publisher.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock. An object whose last other reference goes away during a delivery is
  /// released on the thread of that delivery.
  ///
  /// Use ``assign(to:on:ownership:)`` to set a property of the object.
  ///
  /// - Parameter object: The object to publish with each value.
  /// - Returns: A publisher of pairs: the object, and the value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withUnretained<Object: AnyObject>(_ object: Object)
    -> Publishers.Lifted<(Object, Output), Failure>
  {
    withUnretained(object) { ($0, $1) }
  }

  /// Combines each value with an object that it does not keep alive, and finishes when the object is gone.
  ///
  /// ![Each value is published with the object. When the object is gone, the output finishes.](with-unretained)
  ///
  /// It works as ``withUnretained(_:)``, with a closure that makes the output.
  ///
  /// ```swift
  /// final class Account {
  ///   var rate = 2
  /// }
  /// let account = Account()
  /// let cancellable = [10, 20].publisher.withUnretained(account) { $0.rate * $1 }.sink { print($0) }
  /// // Prints "20", "40" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withUnretained(_:)``. The closure runs on
  /// the thread that delivers the value.
  ///
  /// - Parameters:
  ///   - object: The object to pass to the closure.
  ///   - resultSelector: A closure that makes an output of the object and a value.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withUnretained<Object: AnyObject, Result>(
    _ object: Object, resultSelector: @escaping (Object, Output) -> Result
  ) -> Publishers.Lifted<Result, Failure> {
    lift { [weak object] in WithUnretainedStage<Object, Output, Result, Failure>(object, resultSelector) }
  }
}

/// The stage of `withUnretained`.
@usableFromInline
internal final class WithUnretainedStage<Object: AnyObject, Input, Output, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let unretained: WeakReference<Object>
  @usableFromInline internal let transform: (Object, Input) -> Output

  @inlinable
  internal init(_ object: Object?, _ transform: @escaping (Object, Input) -> Output) {
    unretained = WeakReference(object)
    self.transform = transform
  }

  @inlinable
  internal static var name: String { "WithUnretained" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Failure> {
    guard let object = unretained.object else { return .finish }
    return .emit(transform(object, input))
  }
}
