// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of whether any of the streams that it tracks runs.
///
/// ```swift
/// let activity = ActivityTracker()
/// let shown = activity.sink { print("busy:", $0) }
/// let answer = PassthroughSubject<Int, Never>()
/// let cancellable = answer.trackActivity(activity).sink { print($0) }
/// answer.send(42)
/// answer.send(completion: .finished)
/// // Prints "busy: false", "busy: true", "42", "busy: false" on four lines.
/// ```
///
/// A subscriber gets the present value at once, and then each change. While a value is being delivered, further changes
/// wait; only the latest of them is delivered next, if it differs.
///
/// **Demand:** counted for each subscriber. A subscriber that has not requested a value gets the latest when it does,
/// as from a `CurrentValueSubject`. `request(.none)` traps.
///
/// **Completion:** never.
///
/// **Failure:** none; a tracker cannot fail.
///
/// **Concurrency:** streams may begin and end on any thread; the value is delivered on that thread, before the stream's
/// own signal. If several threads do so at once, one of them delivers for the others: so a value may follow its change
/// a little later, but the last value is always right. Use `receive(on:)` for a user interface.
public final class ActivityTracker: Publisher, Sendable {
  public typealias Output = Bool
  public typealias Failure = Never

  @usableFromInline internal let activity = ActivityCount()

  /// Creates a tracker of no streams.
  public init() {}

  /// The number of tracked streams that run now.
  public var count: Int { activity.count }

  /// Whether one of the tracked streams runs now.
  public var isActive: Bool { activity.count > 0 }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == Never {
    activity.shown.receive(subscriber: subscriber)
  }
}

extension Publisher {
  /// Counts each stream of this publisher with a tracker, from the subscription to its end or a cancel.
  ///
  /// ![The tracker is true while upstream runs, and the values pass.](track-activity)
  ///
  /// ```swift
  /// let activity = ActivityTracker()
  /// let cancellable = [1, 2].publisher.trackActivity(activity).sink { print($0, activity.isActive) }
  /// print(activity.isActive)
  /// // Prints "1 true", "2 true", "false" on three lines.
  /// ```
  ///
  /// The stream counts from just before upstream is subscribed to, until just before downstream gets the completion, or
  /// until a cancel has reached upstream. If upstream drops its subscriber with neither a completion nor a cancel, the
  /// stream counts until the subscriber is released.
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded, after the tracker has been told.
  ///
  /// **Failure:** forwarded, after the tracker has been told.
  ///
  /// **Concurrency:** adds no thread to the stream; the tracker's own subscribers are called on the threads on which its
  /// streams begin and end.
  ///
  /// - Parameter tracker: The tracker.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func trackActivity(_ tracker: ActivityTracker) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(InUse<_, TrackActivityName>(upstream: self) { tracker.activity.begin() })
  }
}

/// The name of `trackActivity`.
@usableFromInline
internal enum TrackActivityName: UseName {
  @inlinable
  internal static var name: String { "TrackActivity" }
}
