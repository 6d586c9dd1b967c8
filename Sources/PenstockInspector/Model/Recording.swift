// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Inspector {
  /// The latest signals that have passed a link, with texts of their values.
  public struct Recording: Sendable, Hashable {
    /// A signal with a text of its value.
    public struct Signal: Sendable, Hashable {
      /// The kind of a signal.
      public enum Kind: Sendable, Hashable {
        /// A value, as the text that the link's closure has made of it.
        case value(String)
        /// The completion `.finished`.
        case finished
        /// A failure.
        case failed
        /// The end of a link without a completion: downstream has cancelled, or has let the stream go.
        case cancelled
      }

      /// The kind of the signal.
      public let kind: Kind
      /// The time at which it passed.
      public let time: ContinuousClock.Instant
    }

    /// The signals, the oldest first; at most 32.
    public let signals: [Signal]
    /// The number of signals before them.
    public let earlier: Int

    package init(signals: [Signal], earlier: Int) {
      (self.signals, self.earlier) = (signals, earlier)
    }
  }

  /// An error that says why a stream can't be made a test.
  public struct NotRecorded: Error, Hashable, CustomStringConvertible {
    /// A description of what is missing, and of what to do.
    public let description: String
  }
}

extension Inspector.Recording.Signal {
  package init(_ kind: Kind, at time: ContinuousClock.Instant) { self.init(kind: kind, time: time) }
}

extension Inspector.Recording {
  /// The same signals with a letter in place of each text: the first value is `a`, whatever it was.
  ///
  /// Equal texts get different letters, which tell nothing about the values.
  internal var lettered: Self {
    var letters = Self.letters.makeIterator()
    return Self(
      signals: signals.map { signal in
        guard case .value = signal.kind else { return signal }
        return Signal(kind: .value(letters.next().map(String.init) ?? "z"), time: signal.time)
      }, earlier: earlier)
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEF"
}
