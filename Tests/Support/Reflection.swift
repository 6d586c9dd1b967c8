// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An object's representation in `print()`, a debugger and a playground.
public struct Shown: Equatable, Sendable {
  public var description: String
  public var playground: String
  public var children: [String?]

  public init(_ description: String, children: [String?] = []) {
    self.description = description
    playground = description
    self.children = children
  }

  /// Reads an object's representations; `nil` if it lacks one of the three.
  public init?(of object: Any) {
    guard
      let text = (object as? any CustomStringConvertible)?.description,
      let playground = (object as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription,
      let mirror = (object as? any CustomReflectable)?.customMirror
    else { return nil }
    description = text
    self.playground = String(describing: playground)
    children = mirror.children.map(\.label)
  }
}

extension Subscription {
  /// The subscription's mirror, as texts.
  public var mirrored: [String] {
    (self as? any CustomReflectable)?.customMirror.children.map { String(describing: $0.value) } ?? ["no mirror"]
  }
}
