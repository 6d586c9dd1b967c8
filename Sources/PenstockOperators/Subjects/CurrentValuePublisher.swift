// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that always has a value, which cannot be set through it.
///
/// It is made from a subject, a relay or a published property by `readOnly`, and from other such publishers by
/// ``map(_:)-((Output)->Result)``, ``combineLatest(_:)`` and ``removeDuplicates()``, which keep ``value``. All other
/// operators return the same publishers as for any upstream.
///
/// ```swift
/// let celsius = CurrentValueSubject<Double, Never>(20)
/// let text = celsius.readOnly.map { "\($0) °C" }
/// let cancellable = text.sink { print($0) }
/// celsius.send(21.5)
/// print("now", text.value)
/// // Prints "20.0 °C", "21.5 °C", "now 21.5 °C" on three lines.
/// ```
///
/// Nothing is stored: each time, ``value`` is read from the source, and goes through the closures of the operators in
/// between. So it is always up to date, even without a subscription and after the end. A closure runs once for each
/// subscriber and value, and once for each read: it should be short, and depend on its argument alone.
///
/// **Demand:** as for its source: counted for each subscriber; the first request delivers the current value.
///
/// **Completion:** that of its source. ``value`` stays.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** any thread may subscribe and read ``value``. A read takes the lock of the subject for a moment, and the
/// closures of the operators run without it, on the thread that reads. It is not `Sendable`, since its closures need not
/// be.
///
/// It keeps its source alive.
public struct CurrentValuePublisher<Output, Failure: Error>: Publisher {
  @usableFromInline internal let read: () -> Output
  @usableFromInline internal let publisher: AnyPublisher<Output, Failure>

  @inlinable
  internal init(_ publisher: AnyPublisher<Output, Failure>, read: @escaping () -> Output) {
    self.publisher = publisher
    self.read = read
  }

  /// The current value.
  ///
  /// Within a delivery it is the delivered value, or a later one; only for a `@Published` property it is the previous
  /// value, as the property itself still has.
  @_alwaysEmitIntoClient
  public var value: Output { read() }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    publisher.receive(subscriber: subscriber)
  }
}

extension CurrentValuePublisher {
  /// Transforms the value, and all values that follow, with a closure.
  ///
  /// ```swift
  /// let names = CurrentValueSubject<[String], Never>(["Ada"])
  /// let count = names.readOnly.map { $0.count }
  /// names.value.append("Grace")
  /// print(count.value)
  /// // Prints "2"
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``CurrentValuePublisher``.
  ///
  /// - Parameter transform: A closure that makes a value. It also runs for each read of ``value``.
  /// - Returns: A publisher of the results, with a value of its own.
  @_alwaysEmitIntoClient
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> CurrentValuePublisher<Result, Failure> {
    CurrentValuePublisher<Result, Failure>(
      publisher.map(transform).eraseToAnyPublisher(), read: { [read] in transform(read()) })
  }

  /// Publishes a property of the value, and of all values that follow.
  ///
  /// ```swift
  /// let name = CurrentValueSubject<String, Never>("Ada")
  /// let count = name.readOnly.map(\.count)
  /// print(count.value)
  /// // Prints "3"
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``CurrentValuePublisher``.
  ///
  /// - Parameter keyPath: The key path of the property.
  /// - Returns: A publisher of the property's values, with a value of its own.
  @_alwaysEmitIntoClient
  public func map<Result>(_ keyPath: KeyPath<Output, Result>) -> CurrentValuePublisher<Result, Failure> {
    map { $0[keyPath: keyPath] }
  }

  /// Publishes the latest values of this publisher and another one as a tuple.
  ///
  /// ```swift
  /// let width = CurrentValueSubject<Int, Never>(2)
  /// let height = CurrentValueSubject<Int, Never>(3)
  /// let area = width.readOnly.combineLatest(height.readOnly).map { $0 * $1 }
  /// width.send(4)
  /// print(area.value)
  /// // Prints "12"
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for `combineLatest` of any two publishers.
  ///
  /// **Concurrency:** as for ``CurrentValuePublisher``. ``value`` reads one publisher after the other: if another
  /// thread sets both at that moment, the tuple may combine an old value and a new one.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of tuples, with a value of its own.
  @_alwaysEmitIntoClient
  public func combineLatest<Other>(
    _ other: CurrentValuePublisher<Other, Failure>
  ) -> CurrentValuePublisher<(Output, Other), Failure> {
    CurrentValuePublisher<(Output, Other), Failure>(
      publisher.combineLatest(other.publisher).eraseToAnyPublisher(),
      read: { [read, readOther = other.read] in (read(), readOther()) })
  }
}

extension CurrentValuePublisher where Output: Equatable {
  /// Publishes the value, and each later value that does not equal the previous one.
  ///
  /// ```swift
  /// let number = CurrentValueSubject<Int, Never>(1)
  /// let isEven = number.readOnly.map { $0.isMultiple(of: 2) }.removeDuplicates()
  /// let cancellable = isEven.sink { print($0) }
  /// for value in [3, 4, 6] { number.send(value) }
  /// print("now", isEven.value)
  /// // Prints "false", "true", "now true" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for `removeDuplicates()` of any publisher.
  ///
  /// **Concurrency:** as for ``CurrentValuePublisher``.
  ///
  /// - Returns: A publisher of the values without repetitions, with a value of its own.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> CurrentValuePublisher {
    CurrentValuePublisher(publisher.removeDuplicates().eraseToAnyPublisher(), read: read)
  }
}
