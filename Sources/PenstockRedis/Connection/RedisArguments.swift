// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  /// Returns the words of a command, which may have any bytes.
  internal func words(_ words: any CustomStringConvertible...) -> [[UInt8]] { words.map { Array($0.description.utf8) } }
#endif
