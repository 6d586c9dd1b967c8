// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Lengths of time, as they are written in a diagram.
internal enum MarbleDuration {
  static let allowed = "a length of time, such as 10ms, 1.5s, 2min or 250us"

  /// The units, in nanoseconds; the longest first, since a text is written in the longest unit that fits.
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("min", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The length of time in a text; `nil` if the text is none, or has a fraction of a nanosecond.
  static func parse(_ text: String) -> Duration? {
    let number = text.prefix { $0.isNumber || $0 == "." }
    guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) }) else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int64(parts[0]), whole >= 0 else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
    guard !overflow, product < .max / 2 else { return nil }
    guard parts.count == 2 else { return .nanoseconds(product) }
    guard !parts[1].isEmpty, parts[1].count <= 9, let digits = Int64(parts[1]) else { return nil }
    let scale = (0..<parts[1].count).reduce(Int64(1)) { scale, _ in scale * 10 }
    let (fraction, rest) = (Int128(digits) * Int128(unit.nanoseconds)).quotientAndRemainder(dividingBy: Int128(scale))
    return rest == 0 ? .nanoseconds(product + Int64(fraction)) : nil
  }

  /// The text of a length of time.
  static func text(_ duration: Duration) -> String {
    let nanoseconds = duration.countableNanoseconds
    let unit = units.first { nanoseconds >= $0.nanoseconds && nanoseconds % ($0.nanoseconds / 10).clamped == 0 }
    guard let unit else { return "\(nanoseconds)ns" }
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.nanoseconds)
    return rest == 0 ? "\(whole)\(unit.name)" : "\(whole).\(rest * 10 / unit.nanoseconds)\(unit.name)"
  }
}

extension Int64 {
  fileprivate var clamped: Int64 { Swift.max(1, self) }
}
