// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that says that an object is about to change.
///
/// It is the one that an ``ObservableObject`` gets without doing anything. An object that has state of its own besides
/// its ``Published`` properties sends by hand:
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
/// **Demand:** not counted. After the first request, of any size, a subscriber gets every signal.
///
/// **Completion:** never. When the publisher is freed, its subscribers are freed without a word.
///
/// **Concurrency:** any thread may send. Subscribers are called on the sender's thread before ``send()`` returns, one at
/// a time; if another thread is delivering at that moment, the signal is queued, and that thread delivers it.
///
/// That the publisher is `Sendable` says only that its own state is safe. What a plain `sink` captures runs on the
/// sender's thread; only a closure that belongs to an actor is guarded, at run time: see <doc:InPlaceOfCombine>.
public final class ObservableObjectPublisher: Publisher, Sendable {
  public typealias Output = Void
  public typealias Failure = Never

  @usableFromInline internal let bell = Bell()

  /// The location of the publisher's entry in ``KnownPublishers``.
  internal let place = KnownPublishers.Place()

  /// Makes a publisher without subscribers.
  public init() {}

  deinit {
    KnownPublishers.shared.forget(self)
    bell.fanOut.dismiss()
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    bell.attach(subscriber.erased())
  }

  /// Tells the subscribers that the object is about to change.
  @inlinable
  public func send() {
    bell.ring()
  }
}
