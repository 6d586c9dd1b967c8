// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What the subject says on which a delivery is acknowledged.
  ///
  /// There are two forms: `$JS.ACK.` with seven parts behind it, and one with the domain and a hash of the account
  /// before these, and possibly more behind them.
  package struct AckSubject: Sendable, Hashable {
    package let stream: String
    package let consumer: String
    package let attempt: Int
    package let streamSequence: UInt64
    package let consumerSequence: UInt64
    /// When it was published, in nanoseconds since 1970.
    package let date: Int64
    package let pending: Int

    package init?(_ subject: String) {
      let parts = subject.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 9 || parts.count >= 11, parts[0].elementsEqual("$JS".utf8),
        parts[1].elementsEqual("ACK".utf8)
      else { return nil }
      let first = parts.count == 9 ? 2 : 4
      guard
        let attempt = Self.number(parts[first + 2]), let streamSequence = Self.number(parts[first + 3]),
        let consumerSequence = Self.number(parts[first + 4]), let date = Self.number(parts[first + 5]),
        let pending = Self.number(parts[first + 6])
      else { return nil }
      stream = String(Substring(parts[first]))
      consumer = String(Substring(parts[first + 1]))
      self.attempt = Int(clamping: attempt)
      self.streamSequence = streamSequence
      self.consumerSequence = consumerSequence
      self.date = Int64(clamping: date)
      self.pending = Int(clamping: pending)
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt64? {
      if digits.isEmpty || digits.count > 19 { return nil }
      var number: UInt64 = 0
      for digit in digits {
        guard (0x30...0x39).contains(digit) else { return nil }
        number = number * 10 + UInt64(digit - 0x30)
      }
      return number
    }
  }
#endif
