// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that can be paused and resumed; see `pausableSink(receiveCompletion:receiveValue:)`.
public protocol Pausable {
  /// Whether it is paused.
  var paused: Bool { get }

  /// Resumes, if it is paused.
  func resume()

  /// Pauses until ``resume()`` is called.
  func pause()
}

extension Pausable {
  /// Does nothing; the default for a type that decides itself when to pause.
  public func pause() {}
}
