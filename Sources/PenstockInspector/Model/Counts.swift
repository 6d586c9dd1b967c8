// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// The counts of a link since it was made.
  public struct Counts: Sendable, Hashable {
    /// The number of values that it has delivered.
    public let values: UInt
    /// The latest signals, the oldest first; empty unless those are kept.
    public let signals: [Signal]
    /// The number of the thread that has delivered the latest signal; the same number as another link's means the same
    /// thread, unless one has ended meanwhile.
    public let thread: UInt?

    /// How long ago the latest signal was.
    public var age: Duration? { signals.last?.age }

    /// A signal that has passed a link, without its value.
    public struct Signal: Sendable, Hashable {
      /// The kind of a signal.
      public enum Kind: String, Sendable, Hashable {
        /// A value.
        case value
        /// The completion, of either kind.
        case completion
      }

      /// The kind of the signal.
      public let kind: Kind
      /// How long ago it was, exact to some milliseconds.
      public let age: Duration
    }

    /// The values per second in the time of the signals that are kept; `nil` if there are fewer than two.
    public var rate: Double? {
      guard let first = signals.first?.age, let last = signals.last?.age, signals.count > 1 else { return nil }
      let seconds = (first - last) / .seconds(1)
      return seconds > 0 ? Double(signals.count - 1) / seconds : nil
    }

    init(_ record: LinkRecord, at now: UInt) {
      values = record.values.value
      signals =
        record.ring?.signals.map { signal in
          Signal(
            kind: signal.kind == .value ? .value : .completion, age: .nanoseconds(Int64(now - min(now, signal.time))))
        } ?? []
      let number = record.thread.value
      thread = number == 0 ? nil : number
    }
  }

  /// What links count.
  public enum Counting: Sendable, Hashable {
    /// The number of values that pass a link.
    case values
    /// In addition, the times of the latest 32 signals, and the thread of the last one.
    case signals
  }

  /// Makes each link count that is made from now on; existing links do not begin to count.
  ///
  /// A chain behaves exactly as it does without counting. Counting values takes two to three nanoseconds per value and
  /// link, counting signals about fifteen.
  ///
  /// - Parameter counting: What to count.
  public static func startCounting(_ counting: Counting = .signals) {
    linkCounting.set(counting == .values ? .values : .signals)
  }

  /// Makes links that are made from now on count nothing; links that count already continue.
  public static func stopCounting() { linkCounting.set(.off) }

  /// Whether links that are made now count.
  public static var isCounting: Bool { linkCounting.value != .off }
}
