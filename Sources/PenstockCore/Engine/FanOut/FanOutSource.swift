// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The publisher to which a ``FanOutEngine`` belongs, as far as its members use it.
@usableFromInline
package protocol FanOutSource: AnyObject {
  /// The text that `print()` prints for a member.
  static var memberName: StaticString { get }

  /// Whether demand is counted.
  static var countsDemand: Bool { get }

  /// Called when a subscriber has requested values.
  func demandRose()

  /// Called when a subscriber has cancelled, and has been removed or will be.
  func memberLeft()

  /// The objects that feed the publisher, for a tool that looks at it on any thread.
  var feeds: [AnyObject] { get }
}

extension FanOutSource {
  @_alwaysEmitIntoClient
  package static var countsDemand: Bool { true }

  /// By default a source does nothing then.
  @_alwaysEmitIntoClient
  package func memberLeft() {}

  @_alwaysEmitIntoClient
  package var feeds: [AnyObject] { [] }
}
