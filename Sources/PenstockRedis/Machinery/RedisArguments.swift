// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockCore

  /// The words of a command, which may have any bytes.
  internal func words(_ words: any CustomStringConvertible...) -> [[UInt8]] { words.map { Array($0.description.utf8) } }

  /// Traps if an argument does not fit.
  internal func require(_ holds: Bool, _ argument: String, _ rule: String, given: Any) {
    if !holds { trap(.unfitArgument(of: argument, rule: rule, given: "\(given)")) }
  }
#endif
