// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Something that can be held up and let go on; see `pausableSink(receiveCompletion:receiveValue:)`.
public protocol Pausable {
  /// Whether it is held up.
  var paused: Bool { get }

  /// Lets it go on.
  func resume()

  /// Holds it up.
  func pause()
}

extension Pausable {
  /// Does nothing: for what decides by itself when to pause.
  public func pause() {}
}
