// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  /// The name that a stream gives to an entry: the milliseconds at which it was added, and a number among these.
  public struct RedisEntryID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970, by the server's clock.
    public let milliseconds: UInt64
    /// The number among the entries of the same millisecond.
    public let sequence: UInt64

    /// Creates a name, from which a group can read.
    ///
    /// - Parameters:
    ///   - milliseconds: Milliseconds since 1970.
    ///   - sequence: The number among the entries of the same millisecond.
    public init(milliseconds: UInt64, sequence: UInt64 = 0) {
      self.milliseconds = milliseconds
      self.sequence = sequence
    }

    internal init?(_ bytes: [UInt8]) {
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "-").map { UInt64($0) }
      guard parts.count == 2, let milliseconds = parts[0], let sequence = parts[1] else { return nil }
      self.init(milliseconds: milliseconds, sequence: sequence)
    }

    /// The name as Redis writes it, such as `1700000000000-0`.
    public var description: String { "\(milliseconds)-\(sequence)" }

    public static func < (left: Self, right: Self) -> Bool {
      (left.milliseconds, left.sequence) < (right.milliseconds, right.sequence)
    }
  }
#endif
