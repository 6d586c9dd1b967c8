// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The names of the library's own types that stand for an operator or a publisher, with the name that its user knows.
private let knownNames = [
  "ConcatenateRule": "Concatenate", "PublishedStorage": "Published", "ReplayFanOut": "ShareReplay",
  "RetryWait": "Retry", "ShareFanOut": "ShareBuffered", "SharedUpstreamSubscriber": "Share", "Intake": "NATS",
]

/// Returns the name of a publisher's type: as it is, unless it is one that only the library knows.
internal func shownType(_ name: String) -> String {
  name.split(separator: "<", maxSplits: 1).first.flatMap { knownNames[String($0)] } ?? name
}

/// Returns a name as a person reads it: without the types in angle brackets, and without a name that is the library's own.
///
/// - Parameter name: The text that a link has for itself, or the name of a type.
internal func plainName(_ name: String) -> String {
  let parts = name.split(separator: "<", maxSplits: 1)
  guard let first = parts.first else { return name }
  // A part of an operator is named by the rule that it follows.
  if first == "SequentialPart", parts.count == 2 { return plainName(String(parts[1])) }
  return knownNames[String(first)] ?? String(first)
}
