// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A value that is published, and worked on.
public struct Order: Sendable, Hashable {
  /// Its number, counted from 1 without a gap, so that a missing order is noticed.
  public let number: Int

  public init(number: Int) { self.number = number }

  /// The order as it is published.
  public var payload: [UInt8] { Array("order \(number)".utf8) }

  /// The order that has been published.
  ///
  /// - Throws: A ``NoOrder`` if it is something else.
  public init(payload: [UInt8]) throws(NoOrder) {
    let words = String(decoding: payload, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == "order", let number = Int(words[1]), number > 0 else { throw NoOrder() }
    self.number = number
  }
}

/// The payload is not an order: no worker will ever be able to serve it.
public struct NoOrder: Error {}
