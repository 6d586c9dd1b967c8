// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A callback with which an API answers a request of a source, once; see ``CallbackStage``.
///
/// **Concurrency:** any thread may call it, also during the request. Values are delivered on that thread, unless another one is
/// delivering. `Sendable` covers the callback's own state only: the subscriber receives the values on the thread that calls.
///
/// **Traps:** a second call, unless the subscriber has cancelled. Without any call the stream waits forever: an API
/// that gives up has to say so, with `.finished` or a failure.
public struct Callback<Output, Failure: Error> {
  @usableFromInline internal let answer: (_ values: [Output], _ completion: Subscribers.Completion<Failure>?) -> Void

  @inlinable
  internal init(_ answer: @escaping ([Output], Subscribers.Completion<Failure>?) -> Void) { self.answer = answer }

  /// Answers with values; others may follow later.
  ///
  /// If there are fewer values than have been requested, a request for the others follows; values beyond the demand
  /// wait until they are requested. If there are none, the same request follows at once, so the API should wait for
  /// some.
  ///
  /// - Parameter values: The values, in their order.
  @inlinable
  public func send(_ values: [Output]) { answer(values, nil) }

  /// Answers that there is nothing more, or nothing after these values.
  ///
  /// - Parameters:
  ///   - values: The last values, in their order.
  ///   - completion: The completion, which is delivered after them.
  @inlinable
  public func send(_ values: [Output] = [], completion: Subscribers.Completion<Failure>) {
    answer(values, completion)
  }
}

/// The stage of a publisher that asks an API for values, which the API calls back with later, on any thread.
///
/// One request is open at a time. When it has been answered, and the answer does not meet the demand, another one follows.
///
/// ```swift
/// final class Shelf {
///   let books = ["Emma", "Ulysses", "Dracula"]
///   var waiting: [() -> Void] = []
///
///   func read(_ range: Range<Int>, whenDone: @escaping ([String]) -> Void) {
///     print("read", range)
///     let found = Array(books.dropFirst(range.lowerBound).prefix(range.count))
///     waiting.append { whenDone(found) }
///   }
///
///   func answer() { waiting.removeFirst()() }
/// }
///
/// struct BooksStage: CallbackStage {
///   let shelf: Shelf
///   var place = 0
///
///   mutating func request(_ demand: Subscribers.Demand, _ callback: Callback<String, Never>) {
///     let range = place..<place + min(demand.max ?? 2, 2)
///     place = range.upperBound
///     shelf.read(range) { books in
///       if books.isEmpty { callback.send(completion: .finished) } else { callback.send(books) }
///     }
///   }
///
///   func cancel() { shelf.waiting = [] }
/// }
///
/// let shelf = Shelf()
/// let cancellable = Publishers.source { BooksStage(shelf: shelf) }.sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// for _ in 1...3 { shelf.answer() }
/// // Prints "read 0..<2", "Emma", "Ulysses", "read 2..<4", "Dracula", "read 4..<6", "finished" on seven lines.
/// ```
///
/// An API that sends on its own, and only has to be told how much is wanted, is not such a source: use
/// `AnyPublisher.create`, with `onDemand(_:)` of its emitter, from PenstockOperators. For an `async` function use
/// `Publishers.fetching` or `Publishers.pages`, from PenstockConcurrency, and for a function that returns the values a
/// ``SourceStage``.
///
/// **Concurrency:** no method of a stage is called while another one runs, nor while a value is delivered, though not
/// always on the same thread. So a stage needs no lock. It may call back before ``request(_:_:)`` returns; the answer
/// is delivered afterwards.
public protocol CallbackStage<Output, Failure> {
  /// The type of the outputs.
  associatedtype Output
  /// The type of the failures; by default it cannot fail.
  associatedtype Failure: Error = Never

  /// The text that `print()` shows for the publisher; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// Asks the API for values.
  ///
  /// - Parameters:
  ///   - demand: The number of values that are wanted, one or more, or `.unlimited`; the stage may ask for fewer.
  ///   - callback: The callback, to be called once with the API's answer.
  mutating func request(_ demand: Subscribers.Demand, _ callback: Callback<Output, Failure>)

  /// Tells the API that nothing more is wanted.
  ///
  /// Called once if the subscriber cancels before the stage has answered with a completion; afterwards the stage is
  /// released, and the answer to the open request is dropped. The call comes on the thread that cancels; if a delivery
  /// or a ``request(_:_:)`` is running, it comes on the thread of that one, when it has returned.
  mutating func cancel()
}

extension CallbackStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }
}

extension Publishers {
  /// Returns a publisher that gets its values from an API that answers later.
  ///
  /// ```swift
  /// struct DiceStage: CallbackStage {
  ///   func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, Never>) {
  ///     DispatchQueue.global().async { callback.send([6]) }
  ///   }
  ///
  ///   func cancel() {}
  /// }
  ///
  /// for await number in Publishers.source({ DiceStage() }).prefix(2).values { print(number) }
  /// // Prints "6", "6" on two lines.
  /// ```
  ///
  /// **Demand:** the requested demand is passed to ``CallbackStage/request(_:_:)`` while no other request is open.
  /// Values beyond the demand wait, and nothing is asked for meanwhile. Nothing is read ahead: add
  /// `buffer(size:prefetch:whenFull:)` for that. `request(.none)` traps.
  ///
  /// **Completion:** that of the answer, after its values; a source without values ends when it has been asked. A
  /// cancel reaches ``CallbackStage/cancel()``, and releases the stage and the subscriber.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the first request is made when the subscriber has received its subscription, on the thread that
  /// requests; others on the thread that has called back, or that requests. Values are delivered one at a time, on the
  /// thread that calls back, or, if they have waited, on the one that requests. Answers that come at once make a loop,
  /// not a recursion.
  ///
  /// **Traps:** a callback that is called twice.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the values with which the stage is called back.
  @inlinable
  public static func source<Work: CallbackStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> {
    Publishers.Lifted(CallbackPublisher(makeStage))
  }
}
