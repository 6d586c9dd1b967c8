// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The price that was just paid for a share of a company.
public struct Quote: Codable, Hashable, Sendable {
  /// The short name of the company's shares.
  public let symbol: String

  /// The price, in cents.
  public let price: Int

  /// The greatest number of bytes in a symbol, and of symbols: what clients send is kept.
  public static let longestSymbol = 12, mostSymbols = 10_000

  /// Creates a quote.
  public init(_ symbol: String, _ price: Int) {
    (self.symbol, self.price) = (symbol, price)
  }
}

/// The prices of a day so far.
public struct Summary: Codable, Hashable, Sendable {
  /// The short name of the company's shares.
  public let symbol: String

  /// How many quotes there have been.
  public private(set) var count = 0

  /// The lowest price, the highest, and the last, in cents.
  public private(set) var low = Int.max, high = 0, last = 0

  init(of symbol: String) {
    self.symbol = symbol
  }

  mutating func add(_ quote: Quote) {
    count += 1
    (low, high, last) = (min(low, quote.price), max(high, quote.price), quote.price)
  }
}

/// The summaries of a day.
struct Day: Sendable {
  /// The summary of the last quote's symbol.
  private(set) var changed: Summary?

  private var summaries: [String: Summary] = [:]

  func adding(_ quote: Quote) -> Day {
    var day = self
    day.summaries[quote.symbol, default: Summary(of: quote.symbol)].add(quote)
    day.changed = day.summaries[quote.symbol]
    return day
  }
}

/// How far two prices are apart.
public struct Spread: Codable, Hashable, Sendable {
  /// The last quotes of both.
  public let first, second: Quote

  /// The first price less the second, in cents.
  public let difference: Int

  init(_ first: Quote, _ second: Quote) {
    (self.first, self.second) = (first, second)
    difference = first.price - second.price
  }
}

/// An assessment of a quote.
public struct Assessment: Codable, Hashable, Sendable {
  /// The assessed quote.
  public let quote: Quote

  /// What was found out.
  public let text: String

  /// Creates an assessment.
  public init(of quote: Quote, _ text: String) {
    (self.quote, self.text) = (quote, text)
  }
}
