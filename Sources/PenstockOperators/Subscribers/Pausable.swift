// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Something that can be paused and resumed; see `pausableSink(receiveCompletion:receiveValue:)`.
public protocol Pausable {
  /// Whether it is paused.
  var paused: Bool { get }

  /// Goes on, if it is paused.
  func resume()

  /// Pauses, until somebody resumes.
  func pause()
}

extension Pausable {
  /// Does nothing: for a type that decides by itself when to pause.
  public func pause() {}
}
