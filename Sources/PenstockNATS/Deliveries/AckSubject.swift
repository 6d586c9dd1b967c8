// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The contents of the subject on which a delivery is acknowledged.
  ///
  /// There are two forms: `$JS.ACK.` followed by seven parts, and one with the domain and a hash of the account before
  /// these, and possibly more parts after them.
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
      var subject = subject
      guard let read = subject.withUTF8({ Self(reading: $0) }) else { return nil }
      self = read
    }

    /// Makes no array of the parts, since this is done for each message.
    private init?(reading bytes: UnsafeBufferPointer<UInt8>) {
      let dot = UInt8(ascii: ".")
      let count = bytes.reduce(1) { $1 == dot ? $0 + 1 : $0 }
      guard count == 9 || count >= 11 else { return nil }
      let first = count == 9 ? 2 : 4
      var (names, numbers) = (("", ""), (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0)))
      var (start, index) = (0, 0)
      for end in 0...bytes.count where end == bytes.count || bytes[end] == dot {
        let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
        switch index {
        case 0: if !part.elementsEqual("$JS".utf8) { return nil }
        case 1: if !part.elementsEqual("ACK".utf8) { return nil }
        case first: names.0 = String(decoding: part, as: UTF8.self)
        case first + 1: names.1 = String(decoding: part, as: UTF8.self)
        case first + 2...first + 6:
          guard let number = Self.number(part) else { return nil }
          switch index - first {
          case 2: numbers.0 = number
          case 3: numbers.1 = number
          case 4: numbers.2 = number
          case 5: numbers.3 = number
          default: numbers.4 = number
          }
        default: break
        }
        (start, index) = (end + 1, index + 1)
      }
      (stream, consumer) = names
      attempt = Int(clamping: numbers.0)
      (streamSequence, consumerSequence) = (numbers.1, numbers.2)
      date = Int64(clamping: numbers.3)
      pending = Int(clamping: numbers.4)
    }

    private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
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
