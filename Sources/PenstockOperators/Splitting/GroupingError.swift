// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The reason why a publisher cannot be divided into groups any further.
public enum GroupingError: Error, Hashable, Sendable {
  /// A value has a new key, and the maximum number of groups has been reached.
  case tooManyGroups(key: String, maxGroups: Int)

  /// A value does not fit into its group, and the strategy is to fail.
  case groupFull(key: String, buffer: Int)

  /// A value does not fit into a group that has not been requested: the subscriber of the groups takes too few at a
  /// time.
  case groupNotRequested(key: String, buffer: Int)
}

extension GroupingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooManyGroups(let key, let maxGroups):
      "There is no room for a group of the key \(key): \(maxGroups) groups exist. Raise maxGroups, cancel groups that are "
        + "not needed any more, or end them by idleAfter."
    case .groupFull(let key, let buffer):
      "The group of the key \(key) has \(buffer) values that its subscriber has not requested. Raise buffer, or choose "
        + "another strategy."
    case .groupNotRequested(let key, let buffer):
      "The group of the key \(key) has \(buffer) values, and nobody has asked for the group. Ask for as many groups as "
        + "there are keys: flatMap(maxPublishers:) takes as many publishers at a time as it is told to."
    }
  }
}
