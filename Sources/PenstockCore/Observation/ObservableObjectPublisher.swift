// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of an observable object that sends before the object changes.
///
/// It is the default ``ObservableObject/objectWillChange``. An object with state other than its ``Published``
/// properties calls ``send()`` itself:
///
/// ```swift
/// final class Gauge: ObservableObject {
///   var level = 0 {
///     willSet { objectWillChange.send() }
///   }
/// }
/// let gauge = Gauge()
/// let cancellable = gauge.objectWillChange.sink { print("was \(gauge.level)") }
/// gauge.level = 5
/// // Prints "was 0"
/// ```
///
/// **Demand:** not counted. After its first request, of any size, a subscriber receives every signal.
///
/// **Completion:** never. When the publisher is deallocated, its subscribers are released without a completion.
///
/// **Failure:** none; the publisher cannot fail.
///
/// **Concurrency:** any thread may send. Subscribers are called on the sender's thread before ``send()`` returns, one
/// at a time; if another thread is delivering at that moment, the signal is queued, and that thread delivers it.
///
/// `Sendable` covers the publisher's own state only. A closure passed to `sink` runs on the sender's thread, and only
/// an actor-isolated closure is checked, at run time: see <doc:InPlaceOfCombine>.
public final class ObservableObjectPublisher: Publisher, Sendable {
  public typealias Output = Void
  public typealias Failure = Never

  @usableFromInline internal let notifier = ChangeNotifier()

  /// The location of the publisher's entry in ``PublisherRegistry``.
  internal let place = PublisherRegistry.Place()

  /// Creates a publisher without subscribers.
  public init() {}

  deinit {
    PublisherRegistry.shared.forget(self)
    notifier.fanOut.close()
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    notifier.attach(subscriber)
  }

  /// Notifies the subscribers that the object is about to change.
  @inlinable
  public func send() {
    notifier.notify()
  }
}
