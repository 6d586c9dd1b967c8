// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Something that happens at one step of a ``MarbleLane``.
public enum MarbleEvent: Hashable, Sendable {
  /// A value, by its symbol.
  case value(String)
  /// The stream finishes: `|`.
  case finished
  /// The stream fails: `#`, or `#'name'` for a failure with a name.
  case failed(String?)
  /// A subscription begins: `^`.
  case subscribed
  /// A subscription is cancelled: `!`.
  case cancelled
  /// Values are requested, in a lane of demand: a digit, a longer number in quotes, or `*` for all of them.
  case requested(Subscribers.Demand)
}

extension MarbleEvent: CustomStringConvertible {
  /// The event as it is written in a lane.
  public var description: String {
    switch self {
    case .value(let symbol): symbol.count == 1 && MarbleEvent.mayStandAlone(symbol.first!) ? symbol : quoted(symbol)
    case .finished: "|"
    case .failed(let name): "#" + (name.map(quoted) ?? "")
    case .subscribed: "^"
    case .cancelled: "!"
    case .requested(let demand):
      if let count = demand.max { count < 10 ? "\(count)" : quoted("\(count)") } else { "*" }
    }
  }

  /// The symbol of a value; `nil` for any other event.
  internal var symbol: String? {
    if case .value(let symbol) = self { symbol } else { nil }
  }

  /// The demand of a request; `nil` for any other event.
  internal var demand: Subscribers.Demand? {
    if case .requested(let demand) = self { demand } else { nil }
  }

  internal var isFailure: Bool {
    if case .failed = self { true } else { false }
  }

  /// Whether nothing of the stream follows it.
  internal var isEnd: Bool { self == .finished || isFailure }

  /// Whether it is what a subscriber does, in a line that shows what a stream does.
  internal var isSubscriberAct: Bool { self == .subscribed || self == .cancelled }

  /// Characters with a meaning of their own, and characters with a meaning in other dialects, which should not be taken
  /// for values.
  private static let reserved: Set<Character> = [
    "-", "|", "#", "^", "!", "*", "[", "]", "{", "}", "(", ")", "'", "\"", ";", ",", "/", ">", "\\",
  ]

  /// Whether a character is a value without quotes.
  internal static func mayStandAlone(_ character: Character) -> Bool {
    !character.isWhitespace && !reserved.contains(character) && !MarbleTypography.isTypographic(character)
  }

  private func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      switch character {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.append(character)
      }
    }
    return result + "'"
  }
}
