// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension OperatorSpec {
  /// Every operator of Combine, with a scheduler that runs everything at once if it needs one.
  public static let all =
    mapping + coding + filtering + prefixing + reducing + matching + debugging + sharing + errors + flattening
    + combining + buffering + timing

  /// The operators whose values are the same however they are requested.
  public static let cold = all.filter { !$0.traits.contains(.shares) }

  /// The operators that keep no values without demand.
  public static let unbuffered = all.filter { !$0.traits.contains(.buffers) }

  /// All operators, including those on a clock, and positions inside one another, for tests of two operators.
  public static let paired =
    all.filter { $0.mayFail && !$0.traits.contains(.isLong) } + delaying + positions

  public static let transparent = all.filter(\.isTransparent)
  public static let managed = all.filter { $0.reactions != nil }
  public static let collecting = all.filter { $0.collected != nil }
  public static let substituting = all.filter { $0.replacedCompletion != nil }

  public static func named(_ name: String) -> OperatorSpec { (all + delaying + positions).first { $0.name == name }! }
}
