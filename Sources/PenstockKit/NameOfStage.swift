// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The text that `print()` shows for an operator whose stage has no name of its own: the name of the type, without its
/// generic arguments and without its suffix.
@usableFromInline
internal func nameOfOperator(_ stage: Any.Type) -> String {
  var name = String(describing: stage).prefix { $0 != "<" }
  for word in ["Stage", "Rule"] where name.hasSuffix(word) && name.count > word.count { name.removeLast(word.count) }
  return String(name)
}
